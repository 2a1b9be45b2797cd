"""Programs that work for the site as child processes and give way to it."""

import asyncio
import contextlib
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ProgramResult:
    """What a program left."""

    code: int
    """0 if it did what it was to do, below 0 for a signal."""
    output: bytes
    complaint: str
    """The last line that it wrote to standard error."""


async def started(command: Sequence[str], niceness: int, most_bytes: int = 2**16) -> Process:
    """A program that runs; `most_bytes` may a line of its have. Raises OSError.

    When this process ends, however it ends, the program's input does too.
    """
    program = await asyncio.create_subprocess_exec(
        *command,
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=most_bytes,
        start_new_session=True,  # so that the Ctrl-C of a terminal reaches the site alone
    )
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, program.pid, niceness)
    return program


async def run(
    command: Sequence[str], niceness: int, said: bytes = b"", seconds: float | None = None
) -> ProgramResult:
    """Have a program do its work. Cancelling this ends it. Raises TimeoutError, OSError."""
    program = await started(command, niceness)
    try:
        output, complaint = await asyncio.wait_for(program.communicate(said), seconds)
    finally:
        if program.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            await program.wait()
    return ProgramResult(program.returncode or 0, output, last_line(complaint))


def last_line(said: bytes) -> str:
    """The last line of what a program said; empty if there is none."""
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].decode(errors="replace").strip() if lines else ""
