"""Where the program keeps what isn't code, and its pipes to other programs."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path


def state_folder() -> Path:
    """What the program keeps between runs: `kakomi` in the XDG state folder."""
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "kakomi"


def lines_in() -> Iterator[bytes | None]:
    """The lines of standard input, None for one that is too long.

    Read without a buffer of Python's: a thread that waits for one keeps the program from ending.
    """
    from kakomi.protocol.lines import lines_of

    return lines_of(partial(os.read, 0))


def write_out(answer: bytes) -> None:
    """Write to standard output, without delay."""
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
