"""Live analysis: engines analyse a position while someone watches, one position per person at a time.

The solver first proves what it can, then a search runs for as long as anyone watches.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field, replace

from kakomi.search import Report
from kakomi.server.engines import EnginePool, EnginePoolError
from kakomi.server.engines.pool import shared_pool
from kakomi.server.site.rendering import OnePerLoop
from kakomi.solve import Proof

LINES = 5
SECONDS = 120.0
"""The total search time for a position."""
REPORT_MS = 400
_SHORTEST = 0.05
"""The least time that a search counts for, so that short ones can't repeat forever."""


@dataclass(frozen=True)
class PositionQuery:
    """A position to analyse, and how."""

    game: str
    options: tuple[tuple[str, int], ...]
    actions: tuple[str, ...]
    position: str = ""
    """The position in which the actions begin; empty for the game's start."""
    simulations: int | None = None
    """The number of simulations to stop after; None means to search for `SECONDS`."""
    seed: int | None = None
    """If given, the search reuses nothing from earlier ones, so that it is reproducible."""
    proof_positions: int = 0
    """How many positions the solver may visit before the search begins."""
    is_searched: bool = True
    """Whether to search after the proof."""
    playouts: int | None = None
    """How many playouts estimate the owners of points and the leads, if any."""


@dataclass(frozen=True)
class AnalysisUpdate:
    """The findings so far, or why there will be no more."""

    analysis: Report | None = None
    ended: str = ""
    """`done`, `elsewhere` (the person has requested another position) or `failed`; empty while it runs."""
    error: str = ""
    """Why it failed, as a translatable message."""
    proof: Proof | None = None


@dataclass(eq=False)
class _Watch:
    """A position under analysis, and its watchers' events."""

    query: PositionQuery
    latest: AnalysisUpdate = field(default_factory=AnalysisUpdate)
    watchers: set[asyncio.Event] = field(default_factory=set)
    task: "asyncio.Task[None] | None" = None

    def publish(self, update: AnalysisUpdate) -> None:
        self.latest = update
        for event in self.watchers:
            event.set()


class LiveAnalysis:
    """The positions under analysis, by person. Belongs to one event loop."""

    def __init__(self, engines: Callable[[], EnginePool] = shared_pool) -> None:
        self._engines = engines
        self._watches: dict[Hashable, _Watch] = {}

    @property
    def busy(self) -> int:
        """How many positions are under analysis."""
        return len(self._watches)

    async def watch(self, client: Hashable, query: PositionQuery) -> AsyncGenerator[AnalysisUpdate, None]:
        """Yield the engines' findings until the analysis ends.

        A new query replaces the client's previous one. Close the generator (`contextlib.aclosing`) or cancel
        its task to leave; the engine stops when there are no other watchers.
        """
        watch = self._watch(client, query)
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
                self._end(client, watch)

    def _watch(self, client: Hashable, query: PositionQuery) -> _Watch:
        watch = self._watches.get(client)
        if watch and watch.query == query and not watch.latest.ended:
            return watch
        if watch:
            watch.publish(replace(watch.latest, ended="elsewhere"))
            self._end(client, watch)
        watch = self._watches[client] = _Watch(query)
        watch.task = asyncio.create_task(self._search(client, watch))
        return watch

    def _end(self, client: Hashable, watch: _Watch) -> None:
        if watch.task:
            watch.task.cancel()
        if self._watches.get(client) is watch:
            del self._watches[client]

    async def _search(self, client: Hashable, watch: _Watch) -> None:
        try:
            await self._prove(client, watch)
            if watch.query.is_searched:
                await self._analyse(client, watch)
        except EnginePoolError as error:
            watch.publish(replace(watch.latest, ended="failed", error=error.reason))
        else:
            watch.publish(replace(watch.latest, ended="done"))
        finally:
            if self._watches.get(client) is watch:
                del self._watches[client]

    async def _prove(self, client: Hashable, watch: _Watch) -> None:
        query = watch.query
        if not query.proof_positions:
            return
        proving = self._engines().prove(
            query.game,
            dict(query.options),
            query.actions,
            position=query.position,
            client=client,
            positions=query.proof_positions,
            every_ms=REPORT_MS,
        )
        async with contextlib.aclosing(proving) as proofs:
            async for proof in proofs:
                watch.publish(AnalysisUpdate(proof=proof))

    async def _analyse(self, client: Hashable, watch: _Watch) -> None:
        """Search for the full time. Waiting requests can cut a search short; it then queues behind them."""
        query, left = watch.query, SECONDS
        loop = asyncio.get_running_loop()
        while left > 0:
            begun, latest = loop.time(), None
            searching = self._engines().analyse(
                query.game,
                dict(query.options),
                query.actions,
                position=query.position,
                client=client,
                lines=LINES,
                every_ms=REPORT_MS,
                seconds=left,
                simulations=query.simulations,
                seed=query.seed,
                playouts=query.playouts,
            )
            async with contextlib.aclosing(searching) as findings:
                async for latest in findings:
                    watch.publish(replace(watch.latest, analysis=latest))
            if query.simulations or (latest and (latest.is_proven or latest.is_full)):
                break
            left -= max(_SHORTEST, latest.seconds if latest else loop.time() - begun)


shared_live_analysis = OnePerLoop(LiveAnalysis)
"""The live analysis of the running event loop."""
