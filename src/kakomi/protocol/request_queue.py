"""Requests as they come in: read while another is worked on, kept in order, stopped at once."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from kakomi.protocol import requests as ask
from kakomi.protocol.exceptions import Refusal, fault
from kakomi.protocol.lines import MOST_BYTES
from kakomi.protocol.requests import Id, Request, read_request

MOST_WAITING = 1000
"""The most requests that wait; meanwhile no further line is read."""


@dataclass(frozen=True)
class Job:
    """A request and the way to end it early, or why a line is none."""

    request: Request | Refusal
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def thinks(self) -> bool:
        """Whether there is something to stop."""
        return isinstance(self.request, ask.LimitedRequest | ask.Prove)


class RequestQueue:
    """Reads lines in a thread of its own. `stop` and `quit` take effect there and then.

    `answer` is called, from that thread, with a stop's id and result.
    """

    def __init__(
        self, lines: Iterable[bytes | None], answer: Callable[[Id, dict[str, object]], None]
    ) -> None:
        self._lines = lines
        self._answer = answer
        self._waiting: queue.Queue[Job | BaseException | None] = queue.Queue(MOST_WAITING)
        self._unfinished: dict[int, Job] = {}
        self._lock = threading.Lock()
        self.is_leaving = False
        """Whether `quit` was read. Waiting requests are then cancelled."""
        threading.Thread(target=self._read, daemon=True).start()

    def jobs(self) -> Iterator[Job]:
        """All requests but stops, in order. Taking the next one ends the one before. Raises what `answer`
        raised."""
        while (job := self._waiting.get()) is not None:
            if isinstance(job, BaseException):
                raise job
            yield job
            with self._lock:
                del self._unfinished[id(job)]

    def _read(self) -> None:
        try:
            for line in self._lines:
                if line is None:
                    self._put(Job(Refusal("too-long", f"a line is longer than {MOST_BYTES:,} bytes")))
                elif line.strip():
                    self._take(line)
                if self.is_leaving:
                    break
            self._stop(self._endless())
        except BaseException as error:  # the one who works is to know
            self._stop(list(self._unfinished.values()))
            self._waiting.put(error)
        self._waiting.put(None)

    def _take(self, line: bytes) -> None:
        try:
            request = read_request(line)
        except Refusal as refusal:
            self._put(Job(refusal))
            return
        except Exception as error:  # a fault of ours, which the client hears of
            self._put(Job(Refusal("internal", fault(error))))
            return
        match request:
            case ask.Stop(target=target):
                chosen = self._thinking(target)
                self._answer(request.id, {"stopped": [job.request.id for job in chosen]})  # type: ignore[union-attr]
                self._stop(chosen)
            case ask.Quit():
                self.is_leaving = True
                self._stop(self._thinking(None))
                self._put(Job(request))
            case _:
                self._put(Job(request))

    def _put(self, job: Job) -> None:
        with self._lock:
            self._unfinished[id(job)] = job
        self._waiting.put(job)

    def _thinking(self, target: Id | None) -> list[Job]:
        """The running and waiting jobs, all of them or those of one id."""
        with self._lock:
            jobs = [job for job in self._unfinished.values() if job.thinks and not job.stop.is_set()]
        return [job for job in jobs if target is None or getattr(job.request, "id", None) == target]

    def _endless(self) -> list[Job]:
        with self._lock:
            jobs = list(self._unfinished.values())
        return [job for job in jobs if isinstance(job.request, Request) and not job.request.ends_by_itself]

    def _stop(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            job.stop.set()
