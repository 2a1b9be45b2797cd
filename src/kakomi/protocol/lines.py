"""Lines from other programs: reading them with a length limit, and quoting them in messages."""

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial

from kakomi.records import tidy_line

MOST_BYTES = 2**20
"""The longest line that the protocol allows, not counting its line feed."""

_CHUNK = 2**16
_LONGEST_CLIPPED = 200


class LineBuffer:
    """Splits bytes that arrive in pieces into lines."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._line = bytearray()

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """Yield the lines that end in a piece, without line feeds; None for one longer than `most` bytes."""
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
        """Yield the last line if it has no line feed."""
        if 0 < len(self._line) <= self._most:
            yield bytes(self._line)


def lines_of(read: Callable[[int], bytes], most: int = MOST_BYTES) -> Iterator[bytes | None]:
    """Yield every line from `read`, as `LineBuffer` splits them.

    `read(n)` returns up to n bytes, none at the end, as `functools.partial(os.read, 0)` does; an OSError
    counts as the end.
    """
    buffer = LineBuffer(most)
    while chunk := _read(read):
        yield from buffer.feed(chunk)
    yield from buffer.end()


def _read(read: Callable[[int], bytes]) -> bytes:
    try:
        return read(_CHUNK)
    except OSError:  # closed, or the terminal is gone
        return b""


def input_lines() -> Iterator[bytes | None]:
    """Yield the lines of standard input, None for one that is too long.

    This bypasses Python's buffer: a thread waiting in it would keep the program from exiting.
    """
    return lines_of(partial(os.read, 0))


def write_output(answer: bytes) -> None:
    """Write to standard output and flush it."""
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def clipped(text: str) -> str:
    """Return a text as one line of limited length, without control characters."""
    text = tidy_line(text.strip())
    return text if len(text) <= _LONGEST_CLIPPED else text[: _LONGEST_CLIPPED - 3] + "..."


def last_line(said: bytes) -> str:
    """Return the last non-blank line of a program's output; empty if there is none."""
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].decode(errors="replace").strip() if lines else ""


def quoted(line: bytes) -> str:
    """Return a clipped line in quotation marks."""
    return repr(clipped(line.decode(errors="replace")))
