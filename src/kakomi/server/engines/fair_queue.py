"""The questions that wait for an engine, in fair order."""

from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from kakomi.server.engines.job import Job, Lane


@dataclass
class _Asker:
    """Somebody whose questions wait or are being worked on."""

    waiting: deque[Job] = field(default_factory=deque)
    begun: int = 0
    """How many of the questions are being worked on."""
    last_turn: int = 0


class FairQueue:
    """Who is next? In each lane, whoever has the fewest questions being worked on, among those whoever's
    last turn is longest ago, and of their questions the oldest.
    """

    def __init__(self) -> None:
        self._lanes: dict[Lane, dict[Hashable, _Asker]] = {lane: {} for lane in Lane}
        self._turns = 0

    def count(self, lane: Lane | None = None) -> int:
        """How many questions wait, in one lane or in all."""
        return sum(len(asker.waiting) for asker in self._askers(lane))

    def put(self, question: Job) -> None:
        """Let a question wait behind the asker's others."""
        self._asker(question).waiting.append(question)

    def put_back(self, question: Job) -> None:
        """Let a question that was begun wait again, before the asker's others."""
        self._asker(question).waiting.appendleft(question)

    def remove(self, question: Job) -> bool:
        """Forget a question; whether it was waiting."""
        asker = self._asker(question)
        is_there = question in asker.waiting
        if is_there:
            asker.waiting.remove(question)
        self._forget_if_idle(question)
        return is_there

    def take(self, lane: Lane) -> Job | None:
        """The next question, which is begun now; None if there is none."""
        waiting = [asker for asker in self._askers(lane) if asker.waiting]
        if not waiting:
            return None
        asker = min(waiting, key=lambda asker: (asker.begun, asker.last_turn))
        self._turns += 1
        asker.begun += 1
        asker.last_turn = self._turns
        return asker.waiting.popleft()

    def ended(self, question: Job) -> None:
        """Note that nobody works any more on a question that was taken."""
        self._asker(question).begun -= 1
        self._forget_if_idle(question)

    def _askers(self, lane: Lane | None) -> Iterator[_Asker]:
        for each in Lane if lane is None else (lane,):
            yield from self._lanes[each].values()

    def _asker(self, question: Job) -> _Asker:
        return self._lanes[question.lane].setdefault(question.asker, _Asker())

    def _forget_if_idle(self, question: Job) -> None:
        asker = self._asker(question)
        if not asker.waiting and not asker.begun:
            del self._lanes[question.lane][question.asker]
