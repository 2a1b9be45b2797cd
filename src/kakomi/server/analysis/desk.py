"""Engines look at positions while somebody watches: one position a person at a time, however many watch."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field

from kakomi.protocol.reports import AnalysisReport
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.loops import OnePerLoop

LINES = 5
SECONDS = 120.0
"""How long a position is looked at in all."""
REPORT_MS = 400
_SHORTEST = 0.05
"""An analysis that ends sooner than this is not asked for again at once."""


@dataclass(frozen=True)
class Asked:
    """A position to look at."""

    game: str
    options: tuple[tuple[str, int], ...]
    actions: tuple[str, ...]


@dataclass(frozen=True)
class News:
    """What has been found, or why no more will be."""

    analysis: AnalysisReport | None = None
    ended: str = ""
    """`done`, `elsewhere` (its asker looks at something else now) or `failed`; empty while it goes on."""
    trouble: str = ""


@dataclass(eq=False)
class _Look:
    """One position being looked at, and those who watch."""

    asked: Asked
    latest: News = field(default_factory=News)
    watchers: set[asyncio.Event] = field(default_factory=set)
    task: "asyncio.Task[None] | None" = None

    def tell(self, news: News) -> None:
        self.latest = news
        for bell in self.watchers:
            bell.set()


class Desk:
    """Who has which position looked at. It belongs to one event loop."""

    def __init__(self, engines: Callable[[], EnginePool] = shared_pool) -> None:
        self._engines = engines
        self._looks: dict[Hashable, _Look] = {}

    @property
    def busy(self) -> int:
        """How many positions are being looked at."""
        return len(self._looks)

    async def watch(self, asker: Hashable, asked: Asked) -> AsyncGenerator[News, None]:
        """What engines find, until there is no more to find. Who had something else looked at before has
        not any more. Leave it with `contextlib.aclosing`, or be cancelled, and the engine stops when
        nobody else watches.
        """
        look = self._look(asker, asked)
        bell = asyncio.Event()
        look.watchers.add(bell)
        bell.set()
        try:
            while True:
                await bell.wait()
                bell.clear()
                news = look.latest
                if news.analysis or news.ended:
                    yield news
                if news.ended:
                    return
        finally:
            look.watchers.discard(bell)
            if not look.watchers:
                self._end(asker, look)

    def _look(self, asker: Hashable, asked: Asked) -> _Look:
        look = self._looks.get(asker)
        if look and look.asked == asked and not look.latest.ended:
            return look
        if look:
            look.tell(News(look.latest.analysis, "elsewhere"))
            self._end(asker, look)
        look = self._looks[asker] = _Look(asked)
        look.task = asyncio.create_task(self._search(asker, look))
        return look

    def _end(self, asker: Hashable, look: _Look) -> None:
        if look.task:
            look.task.cancel()
        if self._looks.get(asker) is look:
            del self._looks[asker]

    async def _search(self, asker: Hashable, look: _Look) -> None:
        try:
            latest = await self._until_found(asker, look)
        except EnginePoolError as error:
            look.tell(News(look.latest.analysis, "failed", error.reason))
        else:
            look.tell(News(latest, "done"))
        finally:
            if self._looks.get(asker) is look:
                del self._looks[asker]

    async def _until_found(self, asker: Hashable, look: _Look) -> AnalysisReport | None:
        """Others that wait end an analysis early: then it is asked for again, behind theirs."""
        asked, latest, left = look.asked, None, SECONDS
        loop = asyncio.get_running_loop()
        while left > 0:
            begun = loop.time()
            searching = self._engines().analyse(
                asked.game,
                dict(asked.options),
                asked.actions,
                asker=asker,
                lines=LINES,
                every_ms=REPORT_MS,
                seconds=left,
            )
            async with contextlib.aclosing(searching) as findings:  # type: ignore[type-var]
                async for latest in findings:
                    look.tell(News(latest))
            if latest and (latest.is_proven or latest.is_full):
                break
            left -= max(_SHORTEST, latest.seconds if latest else loop.time() - begun)
        return latest


desk = OnePerLoop(Desk)
"""The desk of the event loop that runs now."""
