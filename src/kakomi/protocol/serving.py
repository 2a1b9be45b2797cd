"""Serves an engine over a pair of pipes. Requests are read while an earlier one is in progress, answered in
order, and stopped at once.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from queue import Queue
from typing import Any

import msgspec

from kakomi.protocol import messages
from kakomi.protocol.engine import Engine
from kakomi.protocol.exceptions import Code, RequestError, describe_exception
from kakomi.protocol.lines import MOST_BYTES
from kakomi.protocol.messages import Id, Request, read_request

MOST_WAITING = 1000
"""The most requests that may wait; then reading pauses."""


@dataclass(frozen=True)
class Job:
    """A request and the event that stops it, or the error of a line that is no request."""

    request: Request | RequestError
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def thinks(self) -> bool:
        """Whether the request can be stopped."""
        return isinstance(self.request, messages.LimitedRequest | messages.Prove)


class RequestQueue:
    """Reads lines in its own thread. `stop` and `quit` take effect as soon as they are read.

    `answer` is called from that thread with the id and result of each `stop`.
    """

    def __init__(
        self, lines: Iterable[bytes | None], answer: Callable[[Id, dict[str, object]], None]
    ) -> None:
        self._lines = lines
        self._answer = answer
        self._waiting: Queue[Job | BaseException | None] = Queue(MOST_WAITING)
        self._unfinished: dict[int, Job] = {}
        self._lock = threading.Lock()
        self.is_leaving = False
        """Whether `quit` was read. Waiting requests are then cancelled."""
        threading.Thread(target=self._read, daemon=True).start()

    def jobs(self) -> Iterator[Job]:
        """Yield every request but `stop`, in order. Taking the next one finishes the one before. Raises the
        reading thread's exceptions."""
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
                    self._put(Job(RequestError("too-long", f"a line is longer than {MOST_BYTES:,} bytes")))
                elif line.strip():
                    self._take(line)
                if self.is_leaving:
                    break
            self._stop(self._endless())
        except BaseException as error:  # to be raised again in `jobs`
            self._stop(self._unfinished_jobs())
            self._waiting.put(error)
        self._waiting.put(None)

    def _take(self, line: bytes) -> None:
        try:
            request = read_request(line)
        except RequestError as error:
            self._put(Job(error))
            return
        except Exception as error:  # a bug of ours, reported to the client
            self._put(Job(RequestError("internal", describe_exception(error))))
            return
        match request:
            case messages.Stop(target=target):
                chosen = self._thinking(target)
                self._answer(request.id, {"stopped": [job.request.id for job in chosen]})  # type: ignore[union-attr]
                self._stop(chosen)
            case messages.Quit():
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
        """Return the running and waiting jobs that think: all of them, or those with one id."""
        jobs = [job for job in self._unfinished_jobs() if job.thinks and not job.stop.is_set()]
        return [job for job in jobs if target is None or getattr(job.request, "id", None) == target]

    def _endless(self) -> list[Job]:
        jobs = self._unfinished_jobs()
        return [job for job in jobs if isinstance(job.request, Request) and not job.request.ends_by_itself]

    def _unfinished_jobs(self) -> list[Job]:
        with self._lock:
            return list(self._unfinished.values())

    def _stop(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            job.stop.set()


def serve(engine: Engine, lines: Iterable[bytes | None], write: Callable[[bytes], None]) -> None:
    """Answer requests until `quit` or the end of the lines.

    `lines` yields a client's lines, None for one that is too long. `write` gets whole lines, one call at a
    time; an exception from it ends the service.
    """
    writer = ResponseWriter(write)
    queue = RequestQueue(lines, writer.result)
    for job in queue.jobs():
        match job.request:
            case RequestError() as error:
                writer.error(error.request, error.code, error.message)
            case messages.Quit() as request:
                writer.result(request.id, {})
                return
            case request if queue.is_leaving:
                writer.error(request.id, "cancelled", "quit came before it was begun")
            case request:
                _work(engine, request, job, writer)


class ResponseWriter:
    """Writes responses, from any thread."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._lock = threading.Lock()

    def result(self, request: Id, result: dict[str, Any]) -> None:
        """Write the result of a request."""
        self._put({"id": request, "result": result})

    def error(self, request: Id | None, code: Code, message: str) -> None:
        """Write why a request, or a line that is none, failed."""
        self._put({"id": request, "error": {"code": code, "message": message}})

    def report(self, request: Id, report: dict[str, Any]) -> None:
        """Write an interim report on a request."""
        self._put({"id": request, "report": report})

    def _put(self, answer: dict[str, Any]) -> None:
        with self._lock:
            self._write(msgspec.json.encode(answer) + b"\n")


def _work(engine: Engine, request: messages.Request, job: Job, writer: ResponseWriter) -> None:
    def tell(report: dict[str, Any]) -> None:
        writer.report(request.id, report)

    try:
        result = engine.answer(request, job.stop, tell)
    except RequestError as error:
        writer.error(request.id, error.code, error.message)
    except OSError:
        raise  # the client is gone
    except Exception as error:  # a bug of ours: report it to the client and go on
        writer.error(request.id, "internal", describe_exception(error))
    else:
        writer.result(request.id, result)
