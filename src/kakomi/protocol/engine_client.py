"""An engine as a running program: one asyncio protocol, and a synchronous face on top, with an event loop in
a thread of its own.
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
    """Runs coroutines for callers of any thread and of any other event loop. Begins when first needed."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, work: Coroutine[Any, Any, Result]) -> "Future[Result]":
        """Begin some work; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._running())

    def call(self, function: Callable[[], object]) -> None:
        """Call a function there, soon."""
        self._running().call_soon_threadsafe(function)

    def close(self) -> None:
        """End the thread, once nothing runs there any more."""
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
"""How often the synchronous face checks for a stop, in seconds."""
TERMINATE_SECONDS = 2.0
"""Seconds that a program has to end by itself after `quit`, or after its output has ended."""
_STDIN, _STDOUT, _STDERR = range(3)
_KEPT_ERRORS = 2_000
"""Bytes of standard error that are kept, the last ones."""

Report = Callable[[dict[str, Any]], None]


class Complaint(msgspec.Struct):
    """An engine's own error."""

    code: str = ""
    message: str = ""


class Answer(msgspec.Struct):
    """The end of a request, with a result or an error, or a report on the way."""

    id: str | int | None
    result: dict[str, Any] | None = None
    error: Complaint | None = None
    report: dict[str, Any] | None = None


class EngineClient(asyncio.SubprocessProtocol):
    """A program that answers requests, one after the other. It belongs to the event loop that started it.

    Whatever goes wrong is an EngineError, and every request after it raises the same: then `close` it.
    """

    def __init__(self) -> None:
        self._asked = 0
        self._open: set[str | int | None] = set()
        """The requests that are not answered yet."""
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
        """Start a program; when this process ends, the program's input does too. Raises EngineError."""
        loop = asyncio.get_running_loop()
        try:
            _, client = await loop.subprocess_exec(
                cls,
                *command,
                start_new_session=True,  # so that the Ctrl-C of a terminal reaches us alone
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
        """The process's number."""
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
        """The answer to a request, which may be an error of the engine's. Raises EngineError.

        It may take so many seconds; if a report `renews` them, so many without one.
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
        """Have the request that is being answered answered at once, with the best found so far.

        From now on it may take so many seconds, whatever it reports; None: as many as before.
        """
        if self._patience is None or self._is_stopping:
            return
        self._is_stopping = True
        self._send("stop", {"target": self._number})
        if seconds is not None:
            self._renewal = None
            self._renew(seconds)

    async def close(self, *, grace: float = TERMINATE_SECONDS) -> None:
        """End the program and what it started in its session: asked to terminate, then killed."""
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
        """Part of asyncio's interface, as the methods below are."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Take what the program writes."""
        if fd == _STDERR:
            self._errors = (self._errors + data)[-_KEPT_ERRORS:]
            return
        for line in self._lines.feed(data):
            if self._failure is None:  # what follows a line that is none of the protocol can't be told
                self._take(line)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take that an output has ended."""
        if fd == _STDOUT and not self._output_ended.done():
            self._output_ended.set_result(None)
            self._end()

    def process_exited(self) -> None:
        """Take that the program has ended."""
        self._exited.set_result(None)
        self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take that its pipes are closed too."""
        self._gone.set_result(None)

    def _end(self) -> None:
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._ended())

    async def _ended(self) -> None:
        """Say how it ended, once all that it said has arrived; what it started may keep its pipes open."""
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
        stdin.write(line)  # never waits: an engine may not read, and that it is gone shows elsewhere
        return self._asked

    def _signal(self, number: signal.Signals) -> None:
        if self._transport.get_returncode() is None:  # or its number might be somebody else's by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)


class SyncEngineClient:
    """The same for callers without an event loop: each has one in a thread of its own."""

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
        """The process's number."""
        return self._client.pid

    def ask(
        self, command: str, *, stop: threading.Event | None = None, allowance: float = 0.0, **fields: Any
    ) -> Answer:
        """The answer to a request, which may be an error of the engine's. An EngineError ends the program.

        `allowance`, in seconds, is added to our patience. Once `stop` is set the engine is told to come
        to an end.
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
        """End the program and what it started."""
        self._loop.submit(self._client.close(grace=TERMINATE_SECONDS)).result()
        self._loop.close()
