"""What the site asks of its engines, from any thread: typed questions about matches, and typed answers."""

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Self, TypeVar

from kakomi import catalog
from kakomi.bots import BotSpec, strongest_specs
from kakomi.core import Game
from kakomi.core.system import cores
from kakomi.core.validation import unmet_requirements
from kakomi.kernel import Mode, mode
from kakomi.protocol.engine_client import LoopThread
from kakomi.search import Report
from kakomi.server.engines import decisions
from kakomi.server.engines.fair_queue import Job, Lane, Payload
from kakomi.server.engines.processes import EnginePoolError, Precompiler
from kakomi.server.engines.scheduler import JobScheduler
from kakomi.session import Event, Match
from kakomi.solve import Proof, Solver

ENGINE = (sys.executable, "-m", "kakomi", "engine")
ANALYSIS_SECONDS = 60.0
REPORT_MS = 250

_log = logging.getLogger(__name__)

LATER_SECONDS = 1.0
"""Seconds after which a game that somebody looks at is compiled: whatever they do comes first."""

Found = TypeVar("Found", Report, Proof)
Told = TypeVar("Told", float, Report, Proof)


class EnginePool:
    """Engines in child processes, as many as there are cores, shared out fairly among askers.

    All it does happens on an event loop in a thread of its own, so it can be used from any thread and from
    any event loop, and blocks neither. Coroutines here are for event loops; the methods that are called
    `..._soon` are for threads and answer with a `concurrent.futures.Future`. Cancelling either, or leaving
    an analysis, stops its engine within a tenth of a second.

    An `asker` is whoever is treated as one: a table, a guest. Moves come before analyses, and an analysis
    pauses if a move would have to wait for it; in both, whoever has least is next. An engine that dies is
    replaced and its job asked again, up to three times; then EnginePoolError says what happened, as it
    does for what an engine refuses, such as a bot that doesn't exist.

    The engines end with `close`, and when this process ends in any other way.
    """

    def __init__(
        self, engines: int | None = None, *, analyses: int | None = None, command: Sequence[str] = ENGINE
    ) -> None:
        """`analyses` is how many engines may analyse at the same time; by default all but one."""
        self.size = engines or cores()
        self._thread = LoopThread("kakomi-thinking")
        self._scheduler = JobScheduler(command, self.size, analyses or max(1, self.size - 1))
        self._precompiler = Precompiler()
        self._is_awake = False
        self._prepared: set[str] = set()

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for an engine."""
        return self._scheduler.waiting

    @property
    def busy(self) -> int:
        """The number of engines at work."""
        return self._scheduler.busy

    @property
    def pids(self) -> list[int]:
        """The processes of the engines that run."""
        return self._scheduler.pids

    async def decide(
        self,
        match: Match,
        seat: int,
        bot: str,
        seed: int,
        *,
        asker: Hashable,
        on_progress: Callable[[float], None] | None = None,
    ) -> Event:
        """What the bot of the seat to act does next: a komi, a colour, a swap or an action.

        It is what `session.act_for_bot` does with `make_bot(bot, seed=seed_of_decision(match, seed))`, and
        so, on one thread and with limits in simulations, always the same. `on_progress` is called on the
        caller's event loop with the part of its time that is used up, from 0 to 1. Raises Refused if the seat
        isn't to act, EnginePoolError.
        """
        told = on_progress and _on_this_loop(on_progress)
        return await asyncio.wrap_future(
            self.decide_soon(match, seat, bot, seed, asker=asker, on_progress=told)
        )

    def decide_soon(
        self,
        match: Match,
        seat: int,
        bot: str,
        seed: int,
        *,
        asker: Hashable,
        on_progress: Callable[[float], None] | None = None,
    ) -> "Future[Event]":
        """`decide` for threads; `on_progress` is called in the pool's own, and should be quick."""
        request = decisions.decision_request(match, seat, bot, seed)
        self.prepare(request["game"])

        def tell(found: Payload) -> None:
            if on_progress:
                on_progress(found["progress"])

        async def decided() -> Event:
            return decisions.decided(seat, await self._asked(asker, Lane.MOVE, request, tell))

        return self._thread.submit(decided())

    async def accepts_draw(self, match: Match, seat: int, seed: int, *, asker: Hashable) -> bool:
        """Whether a bot accepts an offer of a draw: if a search sees no more than an even chance for it.

        Before the game has begun and after its end it doesn't. Raises EnginePoolError.
        """
        if match.phase != "play":
            return False
        request = decisions.draw_request(match, seed)
        found = await asyncio.wrap_future(self._thread.submit(self._asked(asker, Lane.MOVE, request)))
        return decisions.accepts_draw(match, seat, found)

    async def analyse(
        self,
        game: str,
        options: Mapping[str, int],
        actions: Sequence[str],
        *,
        position: str = "",
        asker: Hashable,
        lines: int = 5,
        every_ms: int = REPORT_MS,
        seconds: float = ANALYSIS_SECONDS,
        simulations: int | None = None,
        seed: int | None = None,
    ) -> AsyncGenerator[Report, None]:
        """What a search finds, again and again until its result is proven or a limit is reached.

        The actions begin at the `position` with that text, or at the game's start.

        The last one is what it found in the end. It ends earlier, though after no less than five seconds,
        if other analyses wait. Who is slow to take what was found misses some of it. With a `seed` it uses
        nothing that an engine knew before. Leave it with `contextlib.aclosing`, or be cancelled, to stop it
        at once. Raises EnginePoolError.
        """
        limits = {"lines": lines, "every_ms": every_ms, "simulations": simulations, "seed": seed}
        request = {"command": "analyse", **_place(game, options, actions, position)}
        request |= {name: value for name, value in limits.items() if value is not None}

        def read(found: Payload) -> Report:
            return Report.from_json(found, catalog.game(game, **options))

        async with contextlib.aclosing(self._streamed(asker, request, read, seconds)) as reports:
            async for report in reports:
                yield report

    async def prove(
        self,
        game: str,
        options: Mapping[str, int],
        actions: Sequence[str],
        *,
        position: str = "",
        asker: Hashable,
        positions: int,
        every_ms: int = REPORT_MS,
    ) -> AsyncGenerator[Proof, None]:
        """What the solver proves of a position among two, again and again until all is known or it has looked
        at so many positions. Otherwise as `analyse`. Raises EnginePoolError, for what can't be solved too."""
        limits = {"positions": positions, "every_ms": every_ms}
        request = {"command": "prove", **_place(game, options, actions, position), **limits}

        def read(found: Payload) -> Proof:
            return Proof.from_json(found, catalog.game(game, **options))

        async with contextlib.aclosing(self._streamed(asker, request, read, None)) as proofs:
            async for proof in proofs:
                yield proof

    async def _streamed(
        self,
        asker: Hashable,
        request: dict[str, Any],
        read: Callable[[Payload], Found],
        seconds: float | None,
    ) -> AsyncGenerator[Found, None]:
        """The reports on an analysis that arrive in time, and its result."""
        latest: list[Found] = []
        news = asyncio.Event()

        def note(found: Found) -> None:
            latest[:] = [found]
            news.set()

        on_loop = _on_this_loop(note)
        asked = self._asked(asker, Lane.ANALYSIS, request, lambda found: on_loop(read(found)), seconds)
        answer = asyncio.wrap_future(self._thread.submit(asked))
        answer.add_done_callback(lambda _: news.set())
        try:
            while not answer.done():
                await news.wait()
                news.clear()
                if latest and not answer.done():
                    yield latest.pop()
            yield read(await answer)
        finally:
            if not answer.cancel() and not answer.cancelled():
                answer.exception()  # whoever leaves early need not hear of it

    def wake(self) -> None:
        """Have an engine started, as somebody has come who may play soon. Returns at once.

        It loads the compiler and what is on disk of some game, the larger part of what a first move would
        wait for.
        """
        if not self._is_awake and mode() is Mode.ADAPTIVE:
            self._is_awake = True
            self._thread.submit(self._wake())

    def prepare(self, game: str) -> None:
        """Have the engines load a game, and a child process compile it if need be. Returns at once.

        Every board on a page asks for this, and so does every decision: what is under way or done costs
        nothing. Pages and engines don't wait for it; they find on disk whatever is there. Unless rules run
        interpreted meanwhile (`Mode.ADAPTIVE`) nothing is done, as then each process compiles what it needs.
        """
        if game not in self._prepared and mode() is Mode.ADAPTIVE:
            self._prepared.add(game)
            self._thread.submit(self._prepare(game))

    def is_preparing(self, game: str) -> bool:
        """Whether a game is being compiled just now."""
        return self._precompiler.is_compiling(game)

    def close(self) -> None:
        """End all engines. Callers that still wait get EnginePoolError."""
        self._thread.submit(self._end()).result()
        self._thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _wake(self) -> None:
        self._scheduler.load(catalog.names()[0], engines=1)

    async def _prepare(self, game: str) -> None:
        self._scheduler.load(game)
        await asyncio.sleep(LATER_SECONDS)
        try:
            if not await asyncio.to_thread(is_compiled, game):
                await self._precompiler.compile(game)
                self._scheduler.load(game)
        except EnginePoolError as failure:
            _log.warning("%s; bots of this game begin late", failure)

    async def _end(self) -> None:
        await asyncio.gather(self._scheduler.close(), self._precompiler.close())

    async def _asked(
        self,
        asker: Hashable,
        lane: Lane,
        request: dict[str, Any],
        on_report: Callable[[Payload], None] | None = None,
        seconds: float | None = None,
    ) -> Payload:
        answer: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        return await self._scheduler.run(Job(asker, lane, request, answer, on_report, seconds))


_LOCK = threading.Lock()
_SHARED: list[EnginePool] = []


def shared_pool() -> EnginePool:
    """This process's engines; they are started when they are first needed."""
    with _LOCK:
        if not _SHARED:
            _SHARED.append(EnginePool())
        return _SHARED[0]


def close(pool: EnginePool) -> None:
    """End a pool's engines; if it was the shared one, who asks for that next gets another."""
    with _LOCK:
        if pool in _SHARED:
            _SHARED.remove(pool)
    pool.close()


def is_compiled(game: str) -> bool:
    """Whether all searches of a game and its solver are there; what a board needs is compiled with them."""
    found = catalog.game(game)
    specs = (BotSpec(), *strongest_specs(found))
    return all(spec.search_to_compile(found).is_compiled() for spec in specs) and _has_solver(found)


def _has_solver(game: Game) -> bool:
    """Whether the solver is compiled for a game, or can do nothing for it."""
    return bool(unmet_requirements(game)) or Solver(game.start(), memory_mb=1).is_compiled()


def _place(game: str, options: Mapping[str, int], actions: Sequence[str], position: str) -> dict[str, Any]:
    """A position as requests name it."""
    begun = {"position": position} if position else {}
    return {"game": game, "options": dict(options), **begun, "actions": list(actions)}


def _on_this_loop(tell: Callable[[Told], None]) -> Callable[[Told], None]:
    """The same, called on the event loop that runs now."""
    loop = asyncio.get_running_loop()

    def soon(told: Told) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, told)

    return soon
