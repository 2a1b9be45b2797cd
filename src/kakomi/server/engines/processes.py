"""Child processes of the site: engines, compilers of games, and other programs with lower priority.

Every reason for an engine's failure is a translatable sentence.
"""

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.core.i18n import lazy_join, lazy_message
from kakomi.protocol.engine_client import Answer, EngineClient
from kakomi.protocol.exceptions import (
    EngineError,
    EngineExitError,
    EngineStartError,
    EngineTimeoutError,
    ProtocolError,
)
from kakomi.protocol.lines import clipped, last_line
from kakomi.server.engines.fair_queue import Payload


class EnginePoolError(Exception):
    """Raised if no engine could answer; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class EngineLostError(Exception):
    """An engine died, hangs or violates the protocol. `reason` begins with "an engine".

    It doesn't leave the pool, which tries another engine.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


NICENESS = 5
"""Gives the engines a lower priority than the site itself."""
SILENCE_SECONDS = 300.0
"""The time without output after which a working engine counts as lost; compiling may take a minute."""
STOPPED_SECONDS = 30.0
"""The same after a stop. Engines stop at once unless they are compiling or naming a komi."""


class EngineProcess:
    """An engine, which processes one request at a time. It belongs to the event loop that started it."""

    def __init__(self, client: EngineClient) -> None:
        self._client = client

    @staticmethod
    async def started(command: Sequence[str]) -> "EngineProcess":
        """Start an engine. Raises EngineLostError if the program can't be started."""
        try:
            return EngineProcess(await EngineClient.start(command, niceness=NICENESS))
        except EngineError as error:
            raise EngineLostError(_translatable(error)) from None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._client.pid

    async def ask(self, request: dict[str, Any], on_report: Callable[[Payload], None]) -> Payload:
        """Return a request's result. Raises EnginePoolError if it is refused, or EngineLostError."""
        fields = {name: value for name, value in request.items() if name != "command"}
        try:
            answer = await self._client.ask(
                request["command"], fields, seconds=SILENCE_SECONDS, on_report=on_report, renews=True
            )
        except EngineError as error:
            raise EngineLostError(_translatable(error)) from None
        return _result(answer)

    def stop(self) -> None:
        """Make the engine answer the current request at once, with the best result so far."""
        self._client.stop(STOPPED_SECONDS)

    async def close(self) -> None:
        """Kill the engine at once; it has no state to save."""
        await self._client.close(grace=0)


def _result(answer: Answer) -> Payload:
    if answer.error is not None:
        raise EnginePoolError(lazy_message("an engine rejected the request: {why}", why=answer.error.message))
    assert answer.result is not None, "an answer is a result or an error"
    return answer.result


def _translatable(error: EngineError) -> str:
    """The error as a translatable sentence that begins with "an engine"."""
    match error:
        case EngineStartError():
            return lazy_message("an engine can't be started: {why}", why=error.why)
        case EngineTimeoutError():
            return lazy_message("an engine didn’t respond to {what}", what=error.command)
        case EngineExitError():
            return _how_it_ended(error)
        case ProtocolError() if error.line:
            return lazy_message("an engine wrote {what}", what=error.line)
        case _:
            return lazy_message("an engine can’t be reached: {why}", why=error.reason)


def _how_it_ended(error: EngineExitError) -> str:
    if error.code < 0:
        how = lazy_message("an engine was killed by signal {number}", number=-error.code)
    else:
        how = lazy_message("an engine exited with code {number}", number=error.code)
    return lazy_join(": ", [how, error.last_words]) if error.last_words else how


@dataclass(frozen=True)
class ProgramResult:
    """The result of a program."""

    code: int
    """The exit code; negative for a signal."""
    output: bytes
    complaint: str
    """The last line of its standard error."""


async def _started(command: Sequence[str], niceness: int) -> Process:
    """Start a program. Raises OSError.

    Its standard input is closed when this process ends, however it ends.
    """
    program = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,  # so that Ctrl-C in a terminal only interrupts the site
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, program.pid, niceness)
    return program


async def run(
    command: Sequence[str], niceness: int, said: bytes = b"", seconds: float | None = None
) -> ProgramResult:
    """Run a program with the input `said`. Cancelling this kills it. Raises TimeoutError or OSError."""
    program = await _started(command, niceness)
    try:
        output, complaint = await asyncio.wait_for(program.communicate(said), seconds)
    finally:
        if program.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()
    return ProgramResult(program.returncode or 0, output, last_line(complaint))


COMPILER_NICENESS = 10
"""Gives the compiler a lower priority than engines."""


class Precompiler:
    """Compiles games in child processes. It belongs to one event loop.

    Each game is compiled once, by `kakomi warm`. All other processes then load the result from disk within a
    tenth of a second, and interpret the rules until then (`Mode.ADAPTIVE`).
    """

    def __init__(self, command: tuple[str, ...] = (sys.executable, "-m", "kakomi", "warm")) -> None:
        self._command = command
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._place = asyncio.Semaphore(1)  # one at a time, to leave processors for other work

    async def compile(self, game: str) -> None:
        """Compile a game, or wait until it is compiled. Raises EnginePoolError."""
        if game not in self._under_way:
            task = self._under_way[game] = asyncio.create_task(self._compile(game))
            task.add_done_callback(lambda _: self._under_way.pop(game))
        await asyncio.shield(self._under_way[game])

    async def close(self) -> None:
        """Cancel all compilations."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _compile(self, game: str) -> None:
        async with self._place:
            ended = await run((*self._command, game), COMPILER_NICENESS)
        if ended.code:
            why = clipped(ended.complaint) or lazy_message("exit code {number}", number=ended.code)
            raise EnginePoolError(lazy_message("{game} can't be compiled: {why}", game=game, why=why))
