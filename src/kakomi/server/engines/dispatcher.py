"""Which engine works on which question."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from kakomi.core.i18n import lazy_message
from kakomi.server.engines.engine_process import Child, EngineLost
from kakomi.server.engines.exceptions import EnginePoolError
from kakomi.server.engines.fair_queue import FairQueue
from kakomi.server.engines.job import Job, Lane, Payload

MOST_TRIES = 3
"""So many engines may die of a question before it is given up."""
TURN_SECONDS = 5.0
"""After so long an analysis ends if somebody else's waits."""
MOST_LOADED = 4
"""So many engines load games ahead; each needs some 300 MB then."""

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Slot:
    """A place for an engine, which is started when it is first needed and again after it died."""

    child: Child | None = None
    question: Job | None = None
    """What it works on."""
    begun: float = 0.0
    """When it began, by the loop's clock."""
    is_stopping: bool = False
    is_paused: bool = False
    """Whether it stops to make room, and its question is to wait again."""
    asker: Hashable = None
    """For whom it worked last: its tree may be of use to the same again."""
    to_load: list[str] = field(default_factory=list)
    """Games that it has not met yet, for when it has nothing else to do."""
    is_loading: bool = False

    @property
    def is_free(self) -> bool:
        """Whether it can take a question."""
        return self.question is None and not self.is_loading

    @property
    def analyses(self) -> bool:
        """Whether it works on an analysis, and is to go on."""
        return self.question is not None and self.question.lane is Lane.ANALYSIS and not self.is_stopping

    def stop(self) -> None:
        """Have its question answered at once."""
        self.is_stopping = True
        if self.child:
            self.child.stop()

    def pause(self) -> None:
        """Have it make room for something more urgent."""
        self.is_paused = True
        self.stop()


class Dispatcher:
    """Hands questions to engines; lives on one event loop."""

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
        """How many questions wait for an engine."""
        return self._waiting.count()

    @property
    def busy(self) -> int:
        """How many engines work."""
        return sum(slot.question is not None for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes of the engines that run."""
        return [slot.child.pid for slot in self._slots if slot.child]

    async def ask(self, question: Job) -> Payload:
        """The answer to a question. Raises ThinkingFailed. Cancelling it frees its engine."""
        if self._is_closed:
            raise EnginePoolError(_sent_home())
        self._waiting.put(question)
        self._dispatch()
        try:
            return await question.answer
        finally:
            self._drop(question)

    def load(self, game: str) -> None:
        """Have some engines load a game when they have nothing else to do, one at a time.

        The first move in an engine then takes no longer than the next.
        """
        if game not in self._loaded:
            self._loaded.append(game)
            for slot in self._slots[:MOST_LOADED]:
                slot.to_load.append(game)
            self._dispatch()

    async def close(self) -> None:
        """End all engines; who still waits for an answer gets ThinkingFailed."""
        self._is_closed = True
        asked = [slot.question for slot in self._slots if slot.question]
        while question := self._waiting.take(Lane.MOVE) or self._waiting.take(Lane.ANALYSIS):
            asked.append(question)
        for question in asked:
            _fail(question, _sent_home())
        working = list(self._working)
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)
        await asyncio.gather(*(slot.child.close() for slot in self._slots if slot.child))

    def _drop(self, question: Job) -> None:
        if self._waiting.remove(question):
            return
        for slot in self._slots:
            if slot.question is question:
                slot.stop()

    def _dispatch(self) -> None:
        """Give free engines something to do, and see that who is next need not wait long."""
        if self._is_closed:
            return
        free = [slot for slot in self._slots if slot.is_free]
        while free and (question := self._next()):
            slot = min(free, key=lambda slot: (slot.asker != question.asker, slot.child is None))
            free.remove(slot)
            self._begin(slot, question)
        self._make_room()
        eager = next((slot for slot in free if slot.to_load), None)
        if eager and not any(slot.is_loading for slot in self._slots):
            eager.is_loading = True
            self._start(self._load(eager, eager.to_load.pop(0)))

    def _next(self) -> Job | None:
        question = self._waiting.take(Lane.MOVE)
        analyses = sum(
            slot.question is not None and slot.question.lane is Lane.ANALYSIS for slot in self._slots
        )
        if question or analyses >= self._most_analyses:
            return question
        return self._waiting.take(Lane.ANALYSIS)

    def _make_room(self) -> None:
        """Analyses pause for moves, and end after their turn for other analyses."""
        now = asyncio.get_running_loop().time()
        analyses = sorted((slot for slot in self._slots if slot.analyses), key=lambda slot: slot.begun)
        wanted = self._waiting.count(Lane.MOVE) - sum(slot.is_stopping for slot in self._slots)
        paused = analyses[: max(0, wanted)]
        for slot in paused:
            slot.pause()
        due = [slot for slot in analyses if slot not in paused and slot.begun + TURN_SECONDS <= now]
        for slot in due[: self._waiting.count(Lane.ANALYSIS)]:
            slot.stop()

    def _begin(self, slot: Slot, question: Job) -> None:
        slot.question, slot.asker = question, question.asker
        slot.is_stopping = slot.is_paused = False
        slot.begun = asyncio.get_running_loop().time()
        self._start(self._work(slot, question))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    async def _load(self, slot: Slot, game: str) -> None:
        try:
            slot.child = slot.child or await Child.started(self._command)
            await slot.child.ask({"command": "setup", "game": game}, lambda _: None)
        except EngineLost as lost:
            _log.warning("%s", lost)
            await self._lose(slot)
            slot.to_load.clear()  # a question may start the next one, and will see what is the matter
        except EnginePoolError as failure:
            _log.warning("%s", failure)
        finally:
            slot.is_loading = False
            self._dispatch()

    async def _work(self, slot: Slot, question: Job) -> None:
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []
        try:
            slot.child = slot.child or await Child.started(self._command)
            slot.begun = loop.time()
            if question.seconds is not None:
                timers.append(loop.call_later(question.seconds - question.used, slot.stop))
            if question.lane is Lane.ANALYSIS:
                timers.append(loop.call_later(TURN_SECONDS, self._dispatch))
            if not question.answer.done():
                answer = slot.child.ask(question.request, _reporter(question))
                if slot.is_stopping:
                    loop.call_soon(slot.child.stop)
                self._take(slot, question, await answer)
        except EngineLost as lost:
            _log.warning("%s", lost)
            await self._lose(slot)
            slot.to_load = self._loaded[:] if slot in self._slots[:MOST_LOADED] else []
            self._try_again(question, lost.reason)
        except EnginePoolError as failure:
            _fail(question, failure.reason)
        finally:
            for timer in timers:
                timer.cancel()
            question.used += loop.time() - slot.begun
            slot.question = None
            self._waiting.ended(question)
            self._dispatch()

    def _take(self, slot: Slot, question: Job, found: Payload) -> None:
        """Take an answer, unless it is one that was wanted too early."""
        if question.answer.done():
            return
        if slot.is_paused and not found.get("is_proven"):
            _reporter(question)(found)
            self._waiting.put_back(question)
        else:
            question.answer.set_result(found)

    async def _lose(self, slot: Slot) -> None:
        child, slot.child = slot.child, None
        if child:
            await child.close()

    def _try_again(self, question: Job, failure: str) -> None:
        question.failures.append(failure)
        if question.answer.done():
            return
        if len(question.failures) < MOST_TRIES:
            self._waiting.put_back(question)
        else:
            most = len(question.failures)
            _fail(
                question,
                lazy_message("{most} engines were lost over it: {failure}", most=most, failure=failure),
            )


def _sent_home() -> str:
    return lazy_message("the engines have been sent home")


def _fail(question: Job, reason: str) -> None:
    if not question.answer.done():
        question.answer.set_exception(EnginePoolError(reason))


def _reporter(question: Job) -> Callable[[Payload], None]:
    """Hands reports on while somebody wants them; what goes wrong there is no reason to stop thinking."""

    def report(found: Payload) -> None:
        if question.on_report and not question.answer.done():
            try:
                question.on_report(found)
            except Exception:
                _log.exception("a report was not taken")

    return report
