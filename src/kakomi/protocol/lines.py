"""Lines from other programs: read with a bound on their length, and made fit for a sentence of ours."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial

from kakomi.records import tidy_line

MOST_BYTES = 2**20
"""A longer line, its line feed not counted, is no line of the protocol."""

_CHUNK = 2**16
_LONGEST_CLIPPED = 200


class LineBuffer:
    """Makes lines of bytes that arrive in pieces."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._line = bytearray()

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """Every line that ends in a piece, without its line feed; None for one of more than `most` bytes."""
        *ended, rest = piece.split(b"\n")
        for part, is_end in [*((part, True) for part in ended), (rest, False)]:
            was_too_long = len(self._line) > self._most
            self._line += part[: self._most + 1 - len(self._line)]
            if len(self._line) > self._most and not was_too_long:
                yield None  # at once: its end may never come
            elif is_end and not was_too_long:
                yield bytes(self._line)
            if is_end:
                self._line.clear()

    def end(self) -> Iterator[bytes]:
        """A last line without line feed, if there is one."""
        if 0 < len(self._line) <= self._most:
            yield bytes(self._line)


def lines_of(read: Callable[[int], bytes], most: int = MOST_BYTES) -> Iterator[bytes | None]:
    """Every line that `read` gives, as a `LineBuffer` makes them.

    `read(n)` gives up to n bytes, none at the end, such as `functools.partial(os.read, 0)`; that it fails
    is taken for the end.
    """
    buffer = LineBuffer(most)
    while chunk := _read(read):
        yield from buffer.feed(chunk)
    yield from buffer.end()


def _read(read: Callable[[int], bytes]) -> bytes:
    try:
        return read(_CHUNK)
    except OSError:  # closed, or a terminal that is gone
        return b""


def input_lines() -> Iterator[bytes | None]:
    """The lines of standard input, None for one that is too long.

    They bypass Python's buffer: a thread that waits in it keeps the program from ending.
    """
    return lines_of(partial(os.read, 0))


def write_output(answer: bytes) -> None:
    """Write to standard output, without delay."""
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def clipped(text: str) -> str:
    """A text in one line of bearable length, without control characters."""
    text = tidy_line(text.strip())
    return text if len(text) <= _LONGEST_CLIPPED else text[: _LONGEST_CLIPPED - 3] + "..."


def last_line(said: bytes) -> str:
    """The last line of what a program said; empty if there is none."""
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].decode(errors="replace").strip() if lines else ""


def quoted(line: bytes) -> str:
    """A line in quotation marks."""
    return repr(clipped(line.decode(errors="replace")))
