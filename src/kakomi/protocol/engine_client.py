"""Clients of an engine that runs as a child process: one for asyncio, and a synchronous one on top of it that
runs an event loop in its own thread.
"""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import Any, Self, TypeVar

import msgspec

from kakomi.protocol.exceptions import (
    EngineError,
    EngineExitError,
    EngineStartError,
    EngineTimeoutError,
    OutputClosedError,
    ProtocolError,
)
from kakomi.protocol.lines import LineBuffer, clipped, last_line, quoted

Result = TypeVar("Result")


class LoopThread:
    """A thread with an event loop, for callers in any thread or event loop. Starts on first use."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        """Schedule a coroutine; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._running())

    def call(self, function: Callable[[], object]) -> None:
        """Schedule a function call in the event loop."""
        self._running().call_soon_threadsafe(function)

    def close(self) -> None:
        """Stop the event loop, cancel its remaining tasks and end the thread."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop and thread:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    finally:
        loop.close()


STOP_POLL_SECONDS = 0.02
"""Seconds between a `SyncEngineClient`'s checks for a stop."""
TERMINATE_SECONDS = 2.0
"""Seconds that a program has to exit after SIGTERM, or after its output has ended."""
_STDIN, _STDOUT, _STDERR = range(3)
_KEPT_ERRORS = 2_000
"""How many bytes from the end of standard error are kept."""

Report = Callable[[dict[str, Any]], None]


class ReportedError(msgspec.Struct):
    """An error that the engine reports."""

    code: str = ""
    message: str = ""


class Answer(msgspec.Struct):
    """A line from an engine: the result or error that ends a request, or an interim report."""

    id: str | int | None
    result: dict[str, Any] | None = None
    error: ReportedError | None = None
    report: dict[str, Any] | None = None


class EngineClient(asyncio.SubprocessProtocol):
    """A client of a program that answers requests one at a time, for the event loop that started it.

    Every failure raises an EngineError, and later requests raise it again: then `close` the client.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._open: set[str | int | None] = set()
        """The ids of the requests that are not answered yet."""
        self._answer: asyncio.Future[Answer] | None = None
        self._number = 0
        self._is_stopping = False
        self._on_report: Report | None = None
        self._patience: asyncio.Timeout | None = None
        self._renewal: float | None = None
        self._failure: EngineError | None = None
        self._lines = LineBuffer()
        self._errors = b""
        loop = asyncio.get_running_loop()
        self._output_ended, self._exited, self._gone = (loop.create_future() for _ in range(3))
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, command: Sequence[str], *, niceness: int = 0) -> Self:
        """Start a program, whose standard input ends when this process does. Raises EngineError."""
        loop = asyncio.get_running_loop()
        try:
            _, client = await loop.subprocess_exec(
                cls,
                *command,
                start_new_session=True,  # so that Ctrl-C in a terminal reaches only us
            )
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            raise EngineStartError(clipped(command[0]), clipped(why)) from None
        if niceness:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, client.pid, niceness)
        return client

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._transport.get_pid() or 0

    async def ask(
        self,
        command: str,
        fields: dict[str, Any] | None = None,
        *,
        seconds: float,
        on_report: Report | None = None,
        renews: bool = False,
    ) -> Answer:
        """Return the answer to a request, which may be an error that the engine reports. Raises EngineError.

        The answer may take `seconds`; with `renews` every report restarts this timeout.
        """
        if self._failure:
            raise self._failure.during(command)
        loop = asyncio.get_running_loop()
        self._answer, self._on_report = loop.create_future(), on_report
        self._renewal = seconds if renews else None
        self._is_stopping = False
        self._number = self._send(command, fields or {})
        try:
            async with asyncio.timeout(seconds) as self._patience:
                return await self._answer
        except TimeoutError:
            self._failure = EngineTimeoutError(command, seconds)
            raise self._failure from None
        except EngineError as error:
            raise error.during(command) from None
        finally:
            self._answer = self._on_report = self._patience = None

    def stop(self, seconds: float | None = None) -> None:
        """Tell the engine to answer the current request at once, with the best result so far.

        `seconds` is a new timeout that reports don't restart; None keeps the present one.
        """
        if self._patience is None or self._is_stopping:
            return
        self._is_stopping = True
        self._send("stop", {"target": self._number})
        if seconds is not None:
            self._renewal = None
            self._renew(seconds)

    async def close(self, *, grace: float = TERMINATE_SECONDS) -> None:
        """End the program and its process group: SIGTERM, then SIGKILL after `grace` seconds."""
        if grace > 0:
            self._signal(signal.SIGTERM)
            await asyncio.wait([self._exited], timeout=grace)
        self._signal(signal.SIGKILL)
        await self._exited
        self._transport.close()
        await self._gone
        if self._ending:
            self._ending.cancel()
            await asyncio.wait([self._ending])

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Part of asyncio's interface, like the methods below."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Receive output of the program."""
        if fd == _STDERR:
            self._errors = (self._errors + data)[-_KEPT_ERRORS:]
            return
        for line in self._lines.feed(data):
            if self._failure is None:  # after a malformed line, nothing can be trusted
                self._take(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Note that an output has ended."""
        if fd == _STDOUT and not self._output_ended.done():
            self._output_ended.set_result(None)
            self._end()

    def process_exited(self) -> None:
        """Note that the program has exited."""
        self._exited.set_result(None)
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that its pipes are closed too."""
        self._gone.set_result(None)

    def _end(self) -> None:
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._ended())

    async def _ended(self) -> None:
        """Fail with how the program ended, once its output is in. Its children may keep the pipes open."""
        await asyncio.wait([self._output_ended, self._exited], timeout=TERMINATE_SECONDS)
        code = self._transport.get_returncode()
        if code is None:
            self._fail(OutputClosedError())
            return
        await asyncio.wait([self._gone], timeout=TERMINATE_SECONDS)
        self._fail(EngineExitError(code, clipped(last_line(self._errors))))

    def _take(self, line: bytes | None) -> None:
        if line is None:
            self._fail(ProtocolError("it wrote a line of more than a mebibyte", ""))
            return
        try:
            answer = msgspec.json.decode(line, type=Answer)
        except (ValueError, RecursionError):
            said = quoted(line)
            self._fail(ProtocolError(f"it wrote {said}, which is no line of the protocol", said))
            return
        if answer.id not in self._open:
            said = quoted(line)
            self._fail(ProtocolError(f"it answered a request that was not made: {said}", said))
        elif answer.result is None and answer.error is None and answer.report is None:
            said = quoted(line)
            self._fail(ProtocolError(f"it wrote {said}, which has no result, no error and no report", said))
        elif answer.report is not None and answer.result is None and answer.error is None:
            self._take_report(answer.report, answer.id)
        else:
            self._open.discard(answer.id)
            if answer.id == self._number and self._answer and not self._answer.done():
                self._answer.set_result(answer)

    def _take_report(self, report: dict[str, Any], number: str | int | None) -> None:
        if number != self._number:
            return
        if self._renewal is not None:
            self._renew(self._renewal)
        if self._on_report:
            self._on_report(report)

    def _fail(self, failure: EngineError) -> None:
        self._failure = self._failure or failure
        if self._answer and not self._answer.done():
            self._answer.set_exception(self._failure)

    def _renew(self, seconds: float) -> None:
        if self._patience and not self._patience.expired():
            self._patience.reschedule(asyncio.get_running_loop().time() + seconds)

    def _send(self, command: str, fields: dict[str, Any]) -> int:
        self._asked += 1
        self._open.add(self._asked)
        line = msgspec.json.encode({"id": self._asked, "command": command, **fields}) + b"\n"
        stdin = self._transport.get_pipe_transport(_STDIN)
        assert isinstance(stdin, asyncio.WriteTransport)
        stdin.write(line)  # never waits: the engine may not be reading, and its exit is noticed elsewhere
        return self._asked

    def _signal(self, number: signal.Signals) -> None:
        if self._transport.get_returncode() is None:  # otherwise another process may have its ID by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)


class SyncEngineClient:
    """An `EngineClient` for callers without an event loop; it runs one in its own thread."""

    def __init__(self, command: Sequence[str], seconds: float) -> None:
        """`seconds` is how long an answer may take."""
        self._seconds = seconds
        self._loop = LoopThread("kakomi-engine")
        try:
            self._client = self._loop.submit(EngineClient.start(command)).result()
        except BaseException:
            self._loop.close()
            raise

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._client.pid

    def ask(
        self, command: str, *, stop: threading.Event | None = None, allowance: float = 0.0, **fields: Any
    ) -> Answer:
        """Return the answer to a request, which may be an error that the engine reports. An EngineError ends
        the program.

        `allowance` adds seconds to the timeout. Once `stop` is set, the engine is told to stop thinking.
        """
        answer = self._loop.submit(self._client.ask(command, fields, seconds=self._seconds + allowance))
        try:
            while True:
                with contextlib.suppress(FutureTimeout):
                    return answer.result(STOP_POLL_SECONDS if stop else None)
                if stop and stop.is_set():
                    self._loop.call(self._client.stop)
                    stop = None
        except EngineError:
            self.close()
            raise
        except BaseException:
            answer.cancel()
            raise

    def close(self) -> None:
        """End the program, its process group and the event loop's thread."""
        self._loop.submit(self._client.close(grace=TERMINATE_SECONDS)).result()
        self._loop.close()
