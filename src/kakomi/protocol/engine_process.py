"""An engine as a running program: one question at a time, and never longer than our patience."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from kakomi.protocol.engine_error import EngineError
from kakomi.protocol.lines import lines_of
from kakomi.protocol.sanitize import clipped, quoted

STOP_LOOK_SECONDS = 0.02
"""How often somebody's wish to stop is looked for."""
TERMINATE_SECONDS = 2.0
"""How long a program has to end by itself once it is told to."""


class Complaint(msgspec.Struct):
    """An engine's own error."""

    code: str = ""
    message: str = ""


class Answer(msgspec.Struct):
    """The end of a request, with a result or an error; with neither it is a report on the way."""

    id: str | int | None
    result: dict[str, Any] | None = None
    error: Complaint | None = None


class EngineProcess:
    """A program that was started to answer requests. Whatever goes wrong ends it and is EngineFailed."""

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self._patience = patience
        self._asked = 0
        self._open: set[str | int | None] = set()
        """The requests that are not answered yet."""
        self._to_write: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._heard: queue.SimpleQueue[Answer | str | None] = queue.SimpleQueue()
        """Answers, then why no more are listened to: a sentence, or None when the output has ended."""
        self._last_words: deque[str] = deque(maxlen=1)
        self._program = _started(command)
        self._writer, self._listener, self._overhearer = (
            threading.Thread(target=work, daemon=True) for work in (self._write, self._listen, self._overhear)
        )
        for thread in (self._writer, self._listener, self._overhearer):
            thread.start()

    def ask(
        self, command: str, *, stop: threading.Event | None = None, allowance: float = 0.0, **fields: Any
    ) -> Answer:
        """The answer to a request, which may be an error of the engine's.

        `allowance`, in seconds, is added to our patience. Once `stop` is set the engine is told to come
        to an end.
        """
        number = self._send(command, fields)
        deadline = time.monotonic() + self._patience + allowance
        while True:
            if stop is not None and stop.is_set():
                self._send("stop", {"target": number})
                stop = None
            left = deadline - time.monotonic()
            try:
                heard = self._heard.get(timeout=max(0.0, min(left, STOP_LOOK_SECONDS) if stop else left))
            except queue.Empty:
                if left <= 0:
                    waited = self._patience + allowance
                    raise self._failed(f"it did not answer {command} within {waited:g} s") from None
                continue
            if not isinstance(heard, Answer):
                raise self._failed(heard or self._how_it_ended(command))
            if heard.id == number:
                return heard

    def close(self) -> None:
        """End the program and what it started in its session: asked to terminate, then killed."""
        self._to_write.put(None)
        self._signal(signal.SIGTERM)
        try:
            self._program.wait(TERMINATE_SECONDS)
        except subprocess.TimeoutExpired:
            self._signal(signal.SIGKILL)
            self._program.wait()
        for thread in (self._writer, self._listener, self._overhearer):
            thread.join(TERMINATE_SECONDS)
        for pipe in (self._program.stdin, self._program.stdout, self._program.stderr):
            assert pipe
            with contextlib.suppress(OSError):
                pipe.close()

    def _send(self, command: str, fields: dict[str, Any]) -> int:
        self._asked += 1
        self._open.add(self._asked)
        self._to_write.put(msgspec.json.encode({"id": self._asked, "command": command, **fields}) + b"\n")
        return self._asked

    def _how_it_ended(self, command: str) -> str:
        try:
            code = self._program.wait(TERMINATE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"it closed its output instead of answering {command}"
        self._overhearer.join(TERMINATE_SECONDS)
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = f"; its last words: {self._last_words[0]}" if self._last_words else ""
        return f"it {how} instead of answering {command}{words}"

    def _failed(self, reason: str) -> EngineError:
        self.close()
        return EngineError(reason)

    def _signal(self, number: signal.Signals) -> None:
        if self._program.poll() is None:  # or its number might be somebody else's by now
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._program.pid, number)

    def _write(self) -> None:
        """In a thread, since an engine may not read."""
        assert self._program.stdin
        with contextlib.suppress(OSError):  # that it is gone shows when it doesn't answer
            while (line := self._to_write.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[self._program.stdin.write(rest) :]

    def _listen(self) -> None:
        """Up to the first line that is none of the protocol; what follows it can't be told."""
        assert self._program.stdout
        for line in lines_of(partial(os.read, self._program.stdout.fileno())):
            try:
                self._hear(line)
            except EngineError as failure:
                self._heard.put(failure.reason)
                return
        self._heard.put(None)

    def _hear(self, line: bytes | None) -> None:
        if line is None:
            raise EngineError("it wrote a line of more than a mebibyte")
        try:
            answer = msgspec.json.decode(line, type=Answer)
        except (ValueError, RecursionError):
            raise EngineError(f"it wrote {quoted(line)}, which is no line of the protocol") from None
        if answer.id not in self._open:
            raise EngineError(f"it answered a request that was not made: {quoted(line)}")
        if answer.result is not None or answer.error is not None:
            self._open.discard(answer.id)
            self._heard.put(answer)

    def _overhear(self) -> None:
        """Keep the last line of what it says on standard error."""
        assert self._program.stderr
        for line in lines_of(partial(os.read, self._program.stderr.fileno())):
            if line and line.strip():
                self._last_words.append(clipped(line.decode(errors="replace")))


def _started(command: Sequence[str]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            list(command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that the Ctrl-C of a terminal reaches us alone
        )
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise EngineError(f"it can't be started: {clipped(command[0])}: {why}") from None
