"""The pool of engines, with a typed interface that can be used from any thread."""

import asyncio
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
"""The delay before a game is compiled, in seconds, which leaves the processor to requests at first."""

Found = TypeVar("Found", Report, Proof)
Reported = TypeVar("Reported", float, Report, Proof)


class EnginePool:
    """Engines in child processes, by default as many as there are cores, shared fairly among clients.

    The pool runs on an event loop in its own thread, so it can be used from any thread and any event loop,
    and blocks neither. Coroutines here are for event loops; methods called `..._soon` are for threads and
    return a `concurrent.futures.Future`. Cancelling either, or leaving an analysis, stops its engine within a
    tenth of a second.

    A `client` is any key, such as a table or a guest. Moves come before analyses, and an analysis
    pauses if a move would have to wait for it; in both lanes, the client with the fewest running jobs is
    next. An engine that dies is replaced and its job tried again, up to three times in all; then
    EnginePoolError is raised, as it is for requests that an engine refuses, such as those for an unknown bot.

    The engines end with `close`, or with this process, however it ends.
    """

    def __init__(
        self, engines: int | None = None, *, analyses: int | None = None, command: Sequence[str] = ENGINE
    ) -> None:
        """`analyses` is the number of engines that may analyse at the same time; by default all but one."""
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
        """The process ids of the running engines."""
        return self._scheduler.pids

    async def decide(
        self,
        match: Match,
        seat: int,
        bot: str,
        seed: int,
        *,
        client: Hashable,
        on_progress: Callable[[float], None] | None = None,
    ) -> Event:
        """The next decision of the bot at the seat to act: a komi, a colour, a swap or an action.

        This is what `session.act_for_bot` does with `make_bot(bot, seed=seed_of_decision(match, seed))`, so
        on one thread and with limits in simulations it is deterministic. `on_progress` is called on the
        caller's event loop with the fraction of the bot's time that is used up, from 0 to 1. Raises Refused
        if the seat isn't to act, or EnginePoolError.
        """
        report = on_progress and _on_this_loop(on_progress)
        return await asyncio.wrap_future(
            self.decide_soon(match, seat, bot, seed, client=client, on_progress=report)
        )

    def decide_soon(
        self,
        match: Match,
        seat: int,
        bot: str,
        seed: int,
        *,
        client: Hashable,
        on_progress: Callable[[float], None] | None = None,
    ) -> "Future[Event]":
        """`decide` for threads; `on_progress` is called in the pool's thread, and should be quick."""
        request = decisions.decision_request(match, seat, bot, seed)
        self.prepare(request["game"])

        def tell(found: Payload) -> None:
            if on_progress:
                on_progress(found["progress"])

        async def decided() -> Event:
            return decisions.decided(seat, await self._run_job(client, Lane.MOVE, request, tell))

        return self._thread.submit(decided())

    async def accepts_draw(self, match: Match, seat: int, seed: int, *, client: Hashable) -> bool:
        """Whether a bot accepts an offer of a draw: if a search gives it no more than an even chance.

        Bots accept no draw before the game has begun or after its end. Raises EnginePoolError.
        """
        if match.phase != "play":
            return False
        request = decisions.draw_request(match, seed)
        found = await asyncio.wrap_future(self._thread.submit(self._run_job(client, Lane.MOVE, request)))
        return decisions.accepts_draw(match, seat, found)

    def analyse(
        self,
        game: str,
        options: Mapping[str, int],
        actions: Sequence[str],
        *,
        position: str = "",
        client: Hashable,
        lines: int = 5,
        every_ms: int = REPORT_MS,
        seconds: float = ANALYSIS_SECONDS,
        simulations: int | None = None,
        seed: int | None = None,
        playouts: int | None = None,
    ) -> AsyncGenerator[Report, None]:
        """Yield a search's reports, until the result is proven or a limit is reached; the last one is final.

        The actions begin at the position with the text `position`, or at the game's start. If other analyses
        wait, the search ends early, but not before five seconds. Slow consumers miss some reports. With a
        `seed`, the search doesn't reuse an engine's earlier results. To stop it at once, leave the generator
        with `contextlib.aclosing`, or cancel it. Raises EnginePoolError.
        """
        limits = {"lines": lines, "every_ms": every_ms, "simulations": simulations, "seed": seed}
        limits["playouts"] = playouts
        request = {"command": "analyse", **_place(game, options, actions, position)}
        request |= {name: value for name, value in limits.items() if value is not None}

        def read(found: Payload) -> Report:
            return Report.from_json(found, catalog.game(game, **options))

        return self._streamed(client, request, read, seconds)

    def prove(
        self,
        game: str,
        options: Mapping[str, int],
        actions: Sequence[str],
        *,
        position: str = "",
        client: Hashable,
        positions: int,
        every_ms: int = REPORT_MS,
    ) -> AsyncGenerator[Proof, None]:
        """Yield what the solver proves of a position for two players, until it is solved or so many
        `positions` are searched. Otherwise like `analyse`. Raises EnginePoolError, also for games that can't
        be solved."""
        limits = {"positions": positions, "every_ms": every_ms}
        request = {"command": "prove", **_place(game, options, actions, position), **limits}

        def read(found: Payload) -> Proof:
            return Proof.from_json(found, catalog.game(game, **options))

        return self._streamed(client, request, read, None)

    async def _streamed(
        self,
        client: Hashable,
        request: dict[str, Any],
        read: Callable[[Payload], Found],
        seconds: float | None,
    ) -> AsyncGenerator[Found, None]:
        """Yield the latest reports of an analysis, and its result."""
        latest: list[Found] = []
        news = asyncio.Event()

        def note(found: Found) -> None:
            latest[:] = [found]
            news.set()

        on_loop = _on_this_loop(note)
        job = self._run_job(client, Lane.ANALYSIS, request, lambda found: on_loop(read(found)), seconds)
        answer = asyncio.wrap_future(self._thread.submit(job))
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
                answer.exception()  # marks it as retrieved, to avoid a warning

    def wake(self) -> None:
        """Start an engine, for a visitor who may play soon. Returns at once.

        The engine loads the compiler and a game's compiled code from disk, which would be most of the delay
        of a first move.
        """
        if not self._is_awake and mode() is Mode.ADAPTIVE:
            self._is_awake = True
            self._thread.submit(self._start_first_engine())

    def prepare(self, game: str) -> None:
        """Load a game into the engines, and compile it in a child process if necessary. Returns at once.

        Every board on a page and every decision calls this; repeated calls cost nothing. Pages and engines
        don't wait for it, but load what is on disk. This only applies to `Mode.ADAPTIVE`, in which rules are
        interpreted until they are compiled; in other modes each process compiles what it needs.
        """
        if game not in self._prepared and mode() is Mode.ADAPTIVE:
            self._prepared.add(game)
            self._thread.submit(self._prepare(game))

    def close(self) -> None:
        """End all engines. Waiting callers get EnginePoolError."""
        self._thread.submit(self._close()).result()
        self._thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _start_first_engine(self) -> None:
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

    async def _close(self) -> None:
        await asyncio.gather(self._scheduler.close(), self._precompiler.close())

    async def _run_job(
        self,
        client: Hashable,
        lane: Lane,
        request: dict[str, Any],
        on_report: Callable[[Payload], None] | None = None,
        seconds: float | None = None,
    ) -> Payload:
        answer: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        return await self._scheduler.run(Job(client, lane, request, answer, on_report, seconds))


_LOCK = threading.Lock()
_SHARED: list[EnginePool] = []


def shared_pool() -> EnginePool:
    """The pool of this process; its engines are started when they are first needed."""
    with _LOCK:
        if not _SHARED:
            _SHARED.append(EnginePool())
        return _SHARED[0]


def close(pool: EnginePool) -> None:
    """End a pool's engines. If it was the shared one, `shared_pool` makes another."""
    with _LOCK:
        if pool in _SHARED:
            _SHARED.remove(pool)
    pool.close()


def is_compiled(game: str) -> bool:
    """Whether a game's searches and solver are compiled; the code that boards need is part of them."""
    found = catalog.game(game)
    specs = (BotSpec(), *strongest_specs(found))
    return all(spec.search_to_compile(found).is_compiled() for spec in specs) and _has_solver(found)


def _has_solver(game: Game) -> bool:
    """Whether the solver is compiled for a game, or doesn't support it."""
    return bool(unmet_requirements(game)) or Solver(game.start(), memory_mb=1).is_compiled()


def _place(game: str, options: Mapping[str, int], actions: Sequence[str], position: str) -> dict[str, Any]:
    """The fields of a request that specify a position."""
    begun = {"position": position} if position else {}
    return {"game": game, "options": dict(options), **begun, "actions": list(actions)}


def _on_this_loop(tell: Callable[[Reported], None]) -> Callable[[Reported], None]:
    """Wrap a callback so that it is called on the current event loop, from any thread."""
    loop = asyncio.get_running_loop()

    def soon(report: Reported) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, report)

    return soon
