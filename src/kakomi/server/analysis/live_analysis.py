"""Engines look at positions while somebody watches: one position a person at a time, however many watch.

What an engine found is shown as a bar of chances, lines of play, and badges on the board.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from django.template.loader import render_to_string
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from kakomi.core import Position
from kakomi.core.returns import percent
from kakomi.draw import Hint
from kakomi.draw.player_style import player_styles
from kakomi.search import Line, Report
from kakomi.server.boardview.presenters import draw_badges
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.language import translate
from kakomi.server.loops import OnePerLoop

LINES = 5
SECONDS = 120.0
"""How long a position is looked at in all."""
REPORT_MS = 400
MOST_SHOWN = 12
"""Actions of a line: further on a search has hardly looked."""
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


@dataclass(frozen=True)
class AnalysisUpdate:
    """What has been found, or why no more will be."""

    analysis: Report | None = None
    ended: str = ""
    """`done`, `elsewhere` (its asker looks at something else now) or `failed`; empty while it goes on."""
    error: str = ""
    """Why it failed, to be translated."""


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
                if update.analysis or update.ended:
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
            watch.publish(AnalysisUpdate(watch.latest.analysis, "elsewhere"))
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
            latest = await self._until_found(asker, watch)
        except EnginePoolError as error:
            watch.publish(AnalysisUpdate(watch.latest.analysis, "failed", error.reason))
        else:
            watch.publish(AnalysisUpdate(latest, "done"))
        finally:
            if self._watches.get(asker) is watch:
                del self._watches[asker]

    async def _until_found(self, asker: Hashable, watch: _Watch) -> Report | None:
        """Others that wait end an analysis early: then it is asked for again, behind theirs."""
        query, latest, left = watch.query, None, SECONDS
        loop = asyncio.get_running_loop()
        while left > 0:
            begun = loop.time()
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
            async with contextlib.aclosing(searching) as findings:  # type: ignore[type-var]
                async for latest in findings:
                    watch.publish(AnalysisUpdate(latest))
            if query.simulations or (latest and (latest.is_proven or latest.is_full)):
                break
            left -= max(_SHORTEST, latest.seconds if latest else loop.time() - begun)
        return latest


shared_live_analysis = OnePerLoop(LiveAnalysis)
"""The live analysis of the event loop that runs now."""


@dataclass(frozen=True)
class Share:
    """A player's share of the bar."""

    name: str
    style: str
    x: str
    width: str
    percent: str


@dataclass(frozen=True)
class LineView:
    """A line of play."""

    percent: str
    """The chance of the player to act."""
    verdict: str
    """What is proven."""
    visits: str
    principal: tuple[str, ...]


@dataclass(frozen=True)
class AnalysisView:
    """An analysis of a position, for the template."""

    position: Position
    analysis: Report

    @property
    def parts(self) -> list[Share]:
        names = self.position.game.player_names
        chances = self.analysis.chances
        starts = (0.0, *accumulate(chances))
        return [
            Share(translate(name), style.name, f"{100 * start:.2f}", f"{100 * chance:.2f}", percent(chance))
            for name, style, start, chance in zip(names, player_styles(names), starts, chances, strict=False)
        ]

    @property
    def chances_words(self) -> str:
        return ", ".join(f"{part.name} {part.percent}" for part in self.parts)

    @property
    def lines(self) -> list[LineView]:
        mover, texts = self.analysis.to_move, self.position.game.action_texts
        return [
            LineView(
                percent(line.chances[mover]),
                _verdict(line),
                _visits(line),
                tuple(texts[action] for action in line.principal[:MOST_SHOWN]),
            )
            for line in self.analysis.lines
        ]

    @property
    def badges(self) -> tuple[Hint, ...]:
        """One for each line on the board; of two on the same place the better one."""
        game, mover = self.position.game, self.analysis.to_move
        found: dict[str, Hint] = {}
        for rank, line in enumerate(self.analysis.lines):
            target = game.actions[line.action].target
            if target and target not in found:
                found[target] = Hint(target, percent(line.chances[mover]), rank)
        return tuple(found.values())

    def drawn(self, turned: int) -> str:
        """The badges as elements of the page's board."""
        return draw_badges(self.position, self.badges, turned)

    def as_data(self, turned: int, can_play: bool) -> dict[str, Any]:
        """As the page's script takes it."""
        analysis = self.analysis
        state = gettext("{count} simulations, {seconds} s").format(
            count=number_format(analysis.simulations, force_grouping=True), seconds=f"{analysis.seconds:.0f}"
        )
        if analysis.is_proven:
            state = gettext("Solved: {state}").format(state=state)
        return {
            "lines": render_to_string("analysis/_lines.html", {"analysis": self, "can_play": can_play}),
            "hints": self.drawn(turned),
            "state": state,
        }


def _visits(line: Line) -> str:
    said = ngettext("{count} visit", "{count} visits", line.visits)
    return said.format(count=number_format(line.visits, force_grouping=True))


def _verdict(line: Line) -> str:
    if line.wins:
        return gettext("wins")
    return gettext("loses") if line.loses else ""
