"""Programs that work for the site as child processes and give way to it."""

import asyncio
import contextlib
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.protocol.lines import last_line


@dataclass(frozen=True)
class ProgramResult:
    """The result of a program."""

    code: int
    """0 if it did what it was to do, below 0 for a signal."""
    output: bytes
    complaint: str
    """The last line that it wrote to standard error."""


async def _started(command: Sequence[str], niceness: int) -> Process:
    """A program that runs. Raises OSError.

    When this process ends, however it ends, the program's input does too.
    """
    program = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,  # so that the Ctrl-C of a terminal reaches the site alone
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, program.pid, niceness)
    return program


async def run(
    command: Sequence[str], niceness: int, said: bytes = b"", seconds: float | None = None
) -> ProgramResult:
    """Have a program do its work. Cancelling this ends it. Raises TimeoutError, OSError."""
    program = await _started(command, niceness)
    try:
        output, complaint = await asyncio.wait_for(program.communicate(said), seconds)
    finally:
        if program.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()
    return ProgramResult(program.returncode or 0, output, last_line(complaint))
