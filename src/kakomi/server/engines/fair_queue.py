"""Jobs for the engines, and the fair order in which they wait."""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Payload = dict[str, Any]
"""A report or a result, as the protocol tells it."""


class Lane(IntEnum):
    """The urgency of jobs; the lowest number comes first."""

    MOVE = 0
    """Somebody waits at a table."""
    ANALYSIS = 1


@dataclass(eq=False)
class Job:
    """A request to an engine, and its state."""

    asker: Hashable
    """The asker: a table, a guest. Engines are shared fairly among askers."""
    lane: Lane
    request: dict[str, Any]
    """As the protocol has it, without an id."""
    answer: asyncio.Future[Payload]
    on_report: Callable[[Payload], None] | None = None
    seconds: float | None = None
    """The time that engines may work on it, in seconds; None: until it is answered."""
    used: float = 0.0
    """The time that they have worked on it."""
    failures: list[str] = field(default_factory=list)
    """The failures of engines that died while they worked on it."""


@dataclass
class _Asker:
    """Somebody whose jobs wait or are being worked on."""

    waiting: deque[Job] = field(default_factory=deque)
    begun: int = 0
    """The number of jobs in progress."""
    last_turn: int = 0


class FairQueue:
    """A queue that is fair to askers. Next in a lane is the asker with the fewest jobs in progress, among
    those the one whose last turn is longest ago; of an asker's jobs the oldest."""

    def __init__(self) -> None:
        self._lanes: dict[Lane, dict[Hashable, _Asker]] = {lane: {} for lane in Lane}
        self._turns = 0

    def count(self, lane: Lane | None = None) -> int:
        """The number of waiting jobs, in one lane or in all."""
        return sum(len(asker.waiting) for asker in self._askers(lane))

    def put(self, job: Job) -> None:
        """Let a job wait behind the asker's others."""
        self._asker(job).waiting.append(job)

    def put_back(self, job: Job) -> None:
        """Let a job that was begun wait again, before the asker's others."""
        self._asker(job).waiting.appendleft(job)

    def remove(self, job: Job) -> bool:
        """Forget a job; whether it was waiting."""
        asker = self._asker(job)
        is_there = job in asker.waiting
        if is_there:
            asker.waiting.remove(job)
        self._forget_if_idle(job)
        return is_there

    def take(self, lane: Lane) -> Job | None:
        """The next job, which is begun now; None if there is none."""
        waiting = [asker for asker in self._askers(lane) if asker.waiting]
        if not waiting:
            return None
        asker = min(waiting, key=lambda asker: (asker.begun, asker.last_turn))
        self._turns += 1
        asker.begun += 1
        asker.last_turn = self._turns
        return asker.waiting.popleft()

    def ended(self, job: Job) -> None:
        """Note that work on a job has ended."""
        self._asker(job).begun -= 1
        self._forget_if_idle(job)

    def _askers(self, lane: Lane | None) -> Iterator[_Asker]:
        for each in Lane if lane is None else (lane,):
            yield from self._lanes[each].values()

    def _asker(self, job: Job) -> _Asker:
        return self._lanes[job.lane].setdefault(job.asker, _Asker())

    def _forget_if_idle(self, job: Job) -> None:
        asker = self._asker(job)
        if not asker.waiting and not asker.begun:
            del self._lanes[job.lane][job.asker]
