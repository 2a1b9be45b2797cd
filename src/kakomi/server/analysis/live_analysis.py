"""Engines look at positions while somebody watches: one position a person at a time, however many watch.

First the solver proves what it can, then a search goes on for as long as somebody looks.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field, replace

from kakomi.search import Report
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.loops import OnePerLoop
from kakomi.solve import Proof

LINES = 5
SECONDS = 120.0
"""How long a position is looked at in all."""
REPORT_MS = 400
_SHORTEST = 0.05
"""An analysis that ends sooner than this is not asked for again at once."""


@dataclass(frozen=True)
class PositionQuery:
    """A position to watch at."""

    game: str
    options: tuple[tuple[str, int], ...]
    actions: tuple[str, ...]
    position: str = ""
    """Where the actions begin, if that isn't the game's start."""
    simulations: int | None = None
    """After how many it is enough; None: it is looked at for SECONDS."""
    seed: int | None = None
    """With one, nothing is used that an engine knew before."""
    proof_positions: int = 0
    """How many positions the solver looks at before the search begins."""
    is_searched: bool = True
    """Whether there is a search at all."""


@dataclass(frozen=True)
class AnalysisUpdate:
    """What has been found, or why no more will be."""

    analysis: Report | None = None
    ended: str = ""
    """`done`, `elsewhere` (its asker looks at something else now) or `failed`; empty while it goes on."""
    error: str = ""
    """Why it failed, to be translated."""
    proof: Proof | None = None


@dataclass(eq=False)
class _Watch:
    """One position being looked at, and those who watch."""

    query: PositionQuery
    latest: AnalysisUpdate = field(default_factory=AnalysisUpdate)
    watchers: set[asyncio.Event] = field(default_factory=set)
    task: "asyncio.Task[None] | None" = None

    def publish(self, update: AnalysisUpdate) -> None:
        self.latest = update
        for event in self.watchers:
            event.set()


class LiveAnalysis:
    """Who has which position looked at. It belongs to one event loop."""

    def __init__(self, engines: Callable[[], EnginePool] = shared_pool) -> None:
        self._engines = engines
        self._watches: dict[Hashable, _Watch] = {}

    @property
    def busy(self) -> int:
        """How many positions are being looked at."""
        return len(self._watches)

    async def watch(self, asker: Hashable, query: PositionQuery) -> AsyncGenerator[AnalysisUpdate, None]:
        """What engines find, until there is no more to find.

        A new request replaces the asker's previous one. Leave it with `contextlib.aclosing`, or be cancelled,
        and the engine stops when nobody else watches.
        """
        watch = self._watch(asker, query)
        event = asyncio.Event()
        watch.watchers.add(event)
        event.set()
        try:
            while True:
                await event.wait()
                event.clear()
                update = watch.latest
                if update.analysis or update.proof or update.ended:
                    yield update
                if update.ended:
                    return
        finally:
            watch.watchers.discard(event)
            if not watch.watchers:
                self._end(asker, watch)

    def _watch(self, asker: Hashable, query: PositionQuery) -> _Watch:
        watch = self._watches.get(asker)
        if watch and watch.query == query and not watch.latest.ended:
            return watch
        if watch:
            watch.publish(replace(watch.latest, ended="elsewhere"))
            self._end(asker, watch)
        watch = self._watches[asker] = _Watch(query)
        watch.task = asyncio.create_task(self._search(asker, watch))
        return watch

    def _end(self, asker: Hashable, watch: _Watch) -> None:
        if watch.task:
            watch.task.cancel()
        if self._watches.get(asker) is watch:
            del self._watches[asker]

    async def _search(self, asker: Hashable, watch: _Watch) -> None:
        try:
            await self._prove(asker, watch)
            if watch.query.is_searched:
                await self._until_found(asker, watch)
        except EnginePoolError as error:
            watch.publish(replace(watch.latest, ended="failed", error=error.reason))
        else:
            watch.publish(replace(watch.latest, ended="done"))
        finally:
            if self._watches.get(asker) is watch:
                del self._watches[asker]

    async def _prove(self, asker: Hashable, watch: _Watch) -> None:
        query = watch.query
        if not query.proof_positions:
            return
        proving = self._engines().prove(
            query.game,
            dict(query.options),
            query.actions,
            position=query.position,
            asker=asker,
            positions=query.proof_positions,
            every_ms=REPORT_MS,
        )
        async with contextlib.aclosing(proving) as proofs:
            async for proof in proofs:
                watch.publish(AnalysisUpdate(proof=proof))

    async def _until_found(self, asker: Hashable, watch: _Watch) -> None:
        """Others that wait end an analysis early: then it is asked for again, behind theirs."""
        query, left = watch.query, SECONDS
        loop = asyncio.get_running_loop()
        while left > 0:
            begun, latest = loop.time(), None
            searching = self._engines().analyse(
                query.game,
                dict(query.options),
                query.actions,
                position=query.position,
                asker=asker,
                lines=LINES,
                every_ms=REPORT_MS,
                seconds=left,
                simulations=query.simulations,
                seed=query.seed,
            )
            async with contextlib.aclosing(searching) as findings:
                async for latest in findings:
                    watch.publish(replace(watch.latest, analysis=latest))
            if query.simulations or (latest and (latest.is_proven or latest.is_full)):
                break
            left -= max(_SHORTEST, latest.seconds if latest else loop.time() - begun)


shared_live_analysis = OnePerLoop(LiveAnalysis)
"""The live analysis of the event loop that runs now."""
