"""Standard input and output as another program uses them: lines in, answers out at once."""

import os
import sys
from collections.abc import Iterator
from functools import partial


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
