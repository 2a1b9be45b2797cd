"""Jobs for the engines, and a fair queue of them."""

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

Payload = dict[str, Any]
"""A report or a result of the engine protocol."""


class Lane(IntEnum):
    """The priority of jobs; lower numbers come first."""

    MOVE = 0
    """For jobs that people at a table wait for."""
    ANALYSIS = 1


@dataclass(eq=False)
class Job:
    """A request to an engine, and its state."""

    client: Hashable
    """The client: a table or a guest. Engines are shared fairly among clients."""
    lane: Lane
    request: dict[str, Any]
    """A request of the engine protocol, without its id."""
    answer: asyncio.Future[Payload]
    on_report: Callable[[Payload], None] | None = None
    seconds: float | None = None
    """The time that engines may work on it, in seconds; None for no limit."""
    used: float = 0.0
    """The time that engines have worked on it, in seconds."""
    failures: list[str] = field(default_factory=list)
    """The failures of engines that died while they worked on it."""


@dataclass
class _ClientJobs:
    """A client with waiting or running jobs."""

    waiting: deque[Job] = field(default_factory=deque)
    begun: int = 0
    """The number of running jobs."""
    last_turn: int = 0


class FairQueue:
    """A queue that is fair to clients. The next job in a lane is the oldest one of the client with the fewest
    running jobs and, among those, with the least recent turn."""

    def __init__(self) -> None:
        self._lanes: dict[Lane, dict[Hashable, _ClientJobs]] = {lane: {} for lane in Lane}
        self._turns = 0

    def count(self, lane: Lane | None = None) -> int:
        """The number of waiting jobs, in one lane or in all."""
        return sum(len(client.waiting) for client in self._clients(lane))

    def put(self, job: Job) -> None:
        """Add a job behind the client's others."""
        self._client(job).waiting.append(job)

    def put_back(self, job: Job) -> None:
        """Return an interrupted job to the queue, before the client's others."""
        self._client(job).waiting.appendleft(job)

    def remove(self, job: Job) -> bool:
        """Remove a job. Returns whether it was waiting."""
        client = self._client(job)
        is_there = job in client.waiting
        if is_there:
            client.waiting.remove(job)
        self._forget_if_idle(job)
        return is_there

    def take(self, lane: Lane) -> Job | None:
        """Remove and return the next job, counting it as running; None if there is none."""
        waiting = [client for client in self._clients(lane) if client.waiting]
        if not waiting:
            return None
        client = min(waiting, key=lambda client: (client.begun, client.last_turn))
        self._turns += 1
        client.begun += 1
        client.last_turn = self._turns
        return client.waiting.popleft()

    def ended(self, job: Job) -> None:
        """Count a job as no longer running."""
        self._client(job).begun -= 1
        self._forget_if_idle(job)

    def _clients(self, lane: Lane | None) -> Iterator[_ClientJobs]:
        for each in Lane if lane is None else (lane,):
            yield from self._lanes[each].values()

    def _client(self, job: Job) -> _ClientJobs:
        return self._lanes[job.lane].setdefault(job.client, _ClientJobs())

    def _forget_if_idle(self, job: Job) -> None:
        client = self._client(job)
        if not client.waiting and not client.begun:
            del self._lanes[job.lane][job.client]
