"""An engine at the other end of two pipes."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from kakomi.protocol import requests as ask
from kakomi.protocol.engine import Engine
from kakomi.protocol.exceptions import Code, Refusal, fault
from kakomi.protocol.request_queue import Job, RequestQueue
from kakomi.protocol.requests import Id


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
