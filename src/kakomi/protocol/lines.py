"""Lines of bounded length from whatever writes bytes."""

from collections.abc import Callable, Iterator

MOST_BYTES = 2**20
"""A longer line, its line feed not counted, is no line of the protocol."""

_CHUNK = 2**16


def lines_of(read: Callable[[int], bytes], most: int = MOST_BYTES) -> Iterator[bytes | None]:
    """Every line that `read` gives, without its line feed, and None for one of more than `most` bytes.

    `read(n)` gives up to n bytes, none at the end, such as `functools.partial(os.read, 0)`; that it fails
    is taken for the end.
    """
    line = bytearray()
    while chunk := _read(read):
        *ended, rest = chunk.split(b"\n")
        for part, is_end in [*((part, True) for part in ended), (rest, False)]:
            was_too_long = len(line) > most
            line += part[: most + 1 - len(line)]
            if len(line) > most and not was_too_long:
                yield None  # at once: its end may never come
            elif is_end and not was_too_long:
                yield bytes(line)
            if is_end:
                line.clear()
    if 0 < len(line) <= most:
        yield bytes(line)


def _read(read: Callable[[int], bytes]) -> bytes:
    try:
        return read(_CHUNK)
    except OSError:  # closed, or a terminal that is gone
        return b""
