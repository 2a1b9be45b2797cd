"""An engine of ours as a child process, on an event loop."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.protocol.lines import MOST_BYTES
from kakomi.protocol.sanitize import clipped, quoted
from kakomi.server.engines import subprocesses
from kakomi.server.engines.exceptions import EnginePoolError
from kakomi.server.engines.job import Payload

NICENESS = 5
"""The site itself comes first."""
SILENCE_SECONDS = 300.0
"""An engine that says nothing for so long while it works is taken for lost; compiling may take a minute."""
STOPPED_SECONDS = 30.0
"""The same once it is told to stop. It does so at once, unless it compiles or names a komi."""


class EngineLost(Exception):  # noqa: N818 (it says what happened)
    """An engine died, hangs or talks nonsense, in a sentence that begins with "an engine" and can be
    translated."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Complaint(msgspec.Struct):
    message: str


class _Answer(msgspec.Struct):
    id: int | None
    report: Payload | None = None
    result: Payload | None = None
    error: _Complaint | None = None


class Child:
    """One engine, which answers one question at a time. It belongs to the event loop that started it."""

    def __init__(self, program: asyncio.subprocess.Process) -> None:
        self._program = program
        self._said = 0
        self._patience: asyncio.Timeout | None = None
        """While a question is being answered."""
        self._is_stopping = False
        self._last_words = b""
        self._overhearing = asyncio.create_task(self._overhear())

    @staticmethod
    async def started(command: Sequence[str]) -> "Child":
        """A new one. Raises EngineLost if the program can't be started.

        When this process ends, however it ends, the child's input does too, and so the child.
        """
        try:
            return Child(await subprocesses.started(command, NICENESS, MOST_BYTES + 1))
        except OSError as error:
            raise EngineLost(
                lazy_message("an engine can't be started: {why}", why=clipped(str(error)))
            ) from None

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._program.pid

    async def ask(self, request: dict[str, Any], on_report: Callable[[Payload], None]) -> Payload:
        """The result of a request. Raises ThinkingFailed if the engine refuses, EngineLost if it is lost."""
        number, self._is_stopping = self._say(request), False
        try:
            async with asyncio.timeout(SILENCE_SECONDS) as self._patience:
                while True:
                    answer = await self._hear()
                    if answer.id != number:
                        continue  # of a stop
                    if answer.error is not None:
                        raise EnginePoolError(
                            lazy_message("an engine refused: {why}", why=answer.error.message)
                        )
                    if answer.result is not None:
                        return answer.result
                    self._be_patient()
                    on_report(answer.report or {})
        except TimeoutError:
            raise EngineLost(
                lazy_message("an engine did not answer {what}", what=request["command"])
            ) from None
        finally:
            self._patience = None

    def stop(self) -> None:
        """Have the question that is being answered answered at once, with the best found so far."""
        if self._patience is None or self._is_stopping:
            return
        self._say({"command": "stop"})
        self._patience.reschedule(asyncio.get_running_loop().time() + STOPPED_SECONDS)
        self._is_stopping = True

    async def close(self) -> None:
        """End it at once; it has nothing to lose."""
        with contextlib.suppress(ProcessLookupError):
            self._program.kill()
        assert self._program.stdin and self._program.stdout
        self._program.stdin.close()
        await self._program.wait()
        with contextlib.suppress(ValueError, OSError):
            while await self._program.stdout.read(MOST_BYTES):
                pass
        await self._overhearing

    def _be_patient(self) -> None:
        if self._patience and not self._is_stopping:
            self._patience.reschedule(asyncio.get_running_loop().time() + SILENCE_SECONDS)

    def _say(self, request: dict[str, Any]) -> int:
        assert self._program.stdin
        self._said += 1
        self._program.stdin.write(msgspec.json.encode({"id": self._said, **request}) + b"\n")
        return self._said

    async def _hear(self) -> _Answer:
        assert self._program.stdout
        try:
            line = await self._program.stdout.readline()
        except (ValueError, OSError) as error:
            raise EngineLost(
                lazy_message("an engine can't be listened to: {why}", why=clipped(str(error)))
            ) from None
        if not line:
            raise EngineLost(await self._how_it_ended())
        try:
            return msgspec.json.decode(line, type=_Answer)
        except ValueError:
            raise EngineLost(lazy_message("an engine wrote {what}", what=quoted(line))) from None

    async def _how_it_ended(self) -> str:
        code = await self._program.wait()
        await self._overhearing
        if code < 0:
            how = lazy_message("an engine was ended by signal {number}", number=-code)
        else:
            how = lazy_message("an engine ended with exit code {number}", number=code)
        words = subprocesses.last_line(self._last_words)
        return lazy_join(": ", [how, clipped(words)]) if words else how

    async def _overhear(self) -> None:
        """Keep the end of what it says on standard error."""
        assert self._program.stderr
        with contextlib.suppress(OSError):
            while heard := await self._program.stderr.read(2**16):
                self._last_words = (self._last_words + heard)[-2000:]
