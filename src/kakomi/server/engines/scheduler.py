"""Assigns jobs to engine processes: order, preemption, and replacement of engines that die."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server.engines.fair_queue import FairQueue, Job, Lane, Payload
from kakomi.server.engines.processes import EngineLostError, EnginePoolError, EngineProcess

MOST_TRIES = 3
"""The number of engines that may die on a job before it fails."""
TURN_SECONDS = 5.0
"""The time after which an analysis ends if another one waits, in seconds."""
MOST_LOADED = 4
"""The most engines that load games in advance; each then needs about 300 MB."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Slot:
    """A slot for an engine, which is started when it is first needed, and again after it has died."""

    engine: EngineProcess | None = None
    job: Job | None = None
    """The job in progress."""
    begun: float = 0.0
    """When the job began, by the event loop's clock."""
    is_stopping: bool = False
    is_paused: bool = False
    """Whether it is stopping to make room, after which its job returns to the queue."""
    client: Hashable = None
    """The client for whom it last worked, who may be able to reuse its search tree."""
    to_load: list[str] = field(default_factory=list)
    """Games to load when it is idle."""
    is_loading: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it can take a job."""
        return self.job is None and not self.is_loading

    @property
    def is_analysing(self) -> bool:
        """Whether it works on an analysis that isn't stopping."""
        return self.job is not None and self.job.lane is Lane.ANALYSIS and not self.is_stopping

    def stop(self) -> None:
        """Stop its job, which is then answered at once."""
        self.is_stopping = True
        if self.engine:
            self.engine.stop()

    def pause(self) -> None:
        """Stop its job to make room for a more urgent one."""
        self.is_paused = True
        self.stop()


class JobScheduler:
    """Owns the engine processes and runs jobs on them. It belongs to one event loop."""

    def __init__(self, command: Sequence[str], engines: int, analyses: int) -> None:
        self._command = command
        self._slots = [Slot() for _ in range(engines)]
        self._most_analyses = analyses
        self._waiting = FairQueue()
        self._loaded: list[str] = []
        self._working: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of jobs that wait for an engine."""
        return self._waiting.count()

    @property
    def busy(self) -> int:
        """The number of engines at work."""
        return sum(slot.job is not None for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The process ids of the running engines."""
        return [slot.engine.pid for slot in self._slots if slot.engine]

    async def run(self, job: Job) -> Payload:
        """Run a job when its turn comes, and return its result. Raises EnginePoolError.

        Cancelling this frees the engine.
        """
        if self._is_closed:
            raise EnginePoolError(_closed())
        self._waiting.put(job)
        self._assign()
        try:
            return await job.answer
        finally:
            self._cancel(job)

    def load(self, game: str, engines: int = MOST_LOADED) -> None:
        """Load a game into some engines when they are idle, one at a time.

        An engine's first move then takes no longer than the next. Code that isn't compiled yet isn't loaded:
        call this again when it is.
        """
        if game not in self._loaded:
            self._loaded.append(game)
        for slot in self._slots[: min(engines, MOST_LOADED)]:
            if game not in slot.to_load:
                slot.to_load.append(game)
        self._assign()

    async def close(self) -> None:
        """End all engines. Waiting callers get EnginePoolError."""
        self._is_closed = True
        asked = [slot.job for slot in self._slots if slot.job]
        while job := self._waiting.take(Lane.MOVE) or self._waiting.take(Lane.ANALYSIS):
            asked.append(job)
        for job in asked:
            _fail(job, _closed())
        working = list(self._working)
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await asyncio.gather(*(slot.engine.close() for slot in self._slots if slot.engine))

    def _cancel(self, job: Job) -> None:
        if self._waiting.remove(job):
            return
        for slot in self._slots:
            if slot.job is job:
                slot.stop()

    def _assign(self) -> None:
        """Assign jobs to free engines, make room for waiting jobs, and let idle engines load games."""
        if self._is_closed:
            return
        free = self._takers()
        while free and (job := self._next()):
            slot = min(free, key=lambda slot: (slot.client != job.client, slot.engine is None))
            free.remove(slot)
            self._begin(slot, job)
        self._make_room()
        eager = next((slot for slot in free if slot.to_load), None)
        if eager and not any(slot.is_loading for slot in self._slots):
            eager.is_loading = True
            self._start(self._load(eager, eager.to_load.pop(0)))

    def _takers(self) -> list[Slot]:
        """The slots that may take a job. A job waits for a loading engine rather than starting another."""
        free = [slot for slot in self._slots if slot.is_free]
        if any(slot.engine for slot in free) or not any(slot.is_loading for slot in self._slots):
            return free
        return free[: max(0, self._waiting.count() - 1)]

    def _next(self) -> Job | None:
        job = self._waiting.take(Lane.MOVE)
        analyses = sum(slot.job is not None and slot.job.lane is Lane.ANALYSIS for slot in self._slots)
        if job or analyses >= self._most_analyses:
            return job
        return self._waiting.take(Lane.ANALYSIS)

    def _make_room(self) -> None:
        """Pause analyses for waiting moves, and end those whose turn is over for waiting analyses."""
        now = asyncio.get_running_loop().time()
        analyses = sorted((slot for slot in self._slots if slot.is_analysing), key=lambda slot: slot.begun)
        wanted = self._waiting.count(Lane.MOVE) - sum(slot.is_stopping for slot in self._slots)
        paused = analyses[: max(0, wanted)]
        for slot in paused:
            slot.pause()
        due = [slot for slot in analyses if slot not in paused and slot.begun + TURN_SECONDS <= now]
        for slot in due[: self._waiting.count(Lane.ANALYSIS)]:
            slot.stop()

    def _begin(self, slot: Slot, job: Job) -> None:
        slot.job, slot.client = job, job.client
        slot.is_stopping = slot.is_paused = False
        slot.begun = asyncio.get_running_loop().time()
        self._start(self._work(slot, job))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def _load(self, slot: Slot, game: str) -> None:
        try:
            slot.engine = slot.engine or await EngineProcess.started(self._command)
            for request in _loading_requests(game):
                await slot.engine.ask(request, lambda _: None)
        except EngineLostError as lost:
            _log.warning("%s", lost)
            await self._lose(slot)
            slot.to_load.clear()  # the next job starts another engine, and reports its failure
        except EnginePoolError as failure:
            _log.warning("%s", failure)
        finally:
            slot.is_loading = False
            self._assign()

    async def _work(self, slot: Slot, job: Job) -> None:
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []
        try:
            slot.engine = slot.engine or await EngineProcess.started(self._command)
            slot.begun = loop.time()
            if job.seconds is not None:
                timers.append(loop.call_later(job.seconds - job.used, slot.stop))
            if job.lane is Lane.ANALYSIS:
                timers.append(loop.call_later(TURN_SECONDS, self._assign))
            if not job.answer.done():
                answer = slot.engine.ask(job.request, _reporter(job))
                if slot.is_stopping:
                    loop.call_soon(slot.engine.stop)
                self._take(slot, job, await answer)
        except EngineLostError as lost:
            _log.warning("%s", lost)
            await self._lose(slot)
            slot.to_load = self._loaded[:] if slot in self._slots[:MOST_LOADED] else []
            self._try_again(job, lost.reason)
        except EnginePoolError as failure:
            _fail(job, failure.reason)
        finally:
            for timer in timers:
                timer.cancel()
            job.used += loop.time() - slot.begun
            slot.job = None
            self._waiting.ended(job)
            self._assign()

    def _take(self, slot: Slot, job: Job, found: Payload) -> None:
        """Finish a job, or return it to the queue if it was paused and its result isn't proven."""
        if job.answer.done():
            return
        if slot.is_paused and not found.get("is_proven"):
            _reporter(job)(found)
            self._waiting.put_back(job)
        else:
            job.answer.set_result(found)

    async def _lose(self, slot: Slot) -> None:
        engine, slot.engine = slot.engine, None
        if engine:
            await engine.close()

    def _try_again(self, job: Job, failure: str) -> None:
        job.failures.append(failure)
        if job.answer.done():
            return
        if len(job.failures) < MOST_TRIES:
            self._waiting.put_back(job)
        else:
            most = len(job.failures)
            _fail(
                job,
                lazy_message("{most} engines failed: {failure}", most=most, failure=failure),
            )


def _loading_requests(game: str) -> list[dict[str, Any]]:
    """Requests that make an engine load the code for a game's bots, without compiling anything."""
    return [
        {"command": "setup", "game": game},
        {"command": "genmove", "bot": "search:simulations=1", "seed": 0},
    ]


def _closed() -> str:
    return lazy_message("the engines have been shut down")


def _fail(job: Job, reason: str) -> None:
    if not job.answer.done():
        job.answer.set_exception(EnginePoolError(reason))


def _reporter(job: Job) -> Callable[[Payload], None]:
    """A callback that forwards reports while the job is open. The receiver's errors are only logged."""

    def report(found: Payload) -> None:
        if job.on_report and not job.answer.done():
            try:
                job.on_report(found)
            except Exception:
                _log.exception("a report was not taken")

    return report
