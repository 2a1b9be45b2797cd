"""An engine at the other end of two pipes. Requests are read while another is worked on, kept in order, and
stopped at once.
"""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kakomi.protocol import messages as ask
from kakomi.protocol.engine import Engine
from kakomi.protocol.exceptions import Code, Refusal, fault
from kakomi.protocol.lines import MOST_BYTES
from kakomi.protocol.messages import Id, Request, read_request

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


def serve(engine: Engine, lines: Iterable[bytes | None], write: Callable[[bytes], None]) -> None:
    """Answer requests until `quit` or the end of the lines.

    `lines` are a client's, None for one that is too long; `write` is called with whole lines, one call at
    a time, and what it raises ends the service.
    """
    writer = ResponseWriter(write)
    queue = RequestQueue(lines, writer.result)
    for job in queue.jobs():
        match job.request:
            case Refusal() as refusal:
                writer.error(refusal.request, refusal.code, refusal.message)
            case ask.Quit() as request:
                writer.result(request.id, {})
                return
            case request if queue.is_leaving:
                writer.error(request.id, "cancelled", "quit came before it was begun")
            case request:
                _work(engine, request, job, writer)


class ResponseWriter:
    """Writes answers, from any thread."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._lock = threading.Lock()

    def result(self, request: Id, result: dict[str, Any]) -> None:
        """The good end of a request."""
        self._put({"id": request, "result": result})

    def error(self, request: Id | None, code: Code, message: str) -> None:
        """The failure of a request, or of a line."""
        self._put({"id": request, "error": {"code": code, "message": message}})

    def report(self, request: Id, report: dict[str, Any]) -> None:
        """A report on a request's progress."""
        self._put({"id": request, "report": report})

    def _put(self, answer: dict[str, Any]) -> None:
        with self._lock:
            self._write(msgspec.json.encode(answer) + b"\n")


def _work(engine: Engine, request: ask.Request, job: Job, writer: ResponseWriter) -> None:
    def tell(report: dict[str, Any]) -> None:
        writer.report(request.id, report)

    try:
        result = engine.answer(request, job.stop, tell)
    except Refusal as refusal:
        writer.error(request.id, refusal.code, refusal.message)
    except OSError:
        raise  # nobody reads us any more
    except Exception as error:  # a fault of ours: the client hears of it, and the engine goes on
        writer.error(request.id, "internal", fault(error))
    else:
        writer.result(request.id, result)
