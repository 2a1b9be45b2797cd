"""Lines of bounded length from whatever writes bytes."""

from collections.abc import Callable, Iterator

MOST_BYTES = 2**20
"""A longer line, its line feed not counted, is no line of the protocol."""

_CHUNK = 2**16


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
