"""Time that counts and time that does not: arithmetic of spans. No clock is read here."""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Span: TypeAlias = tuple[float, float]
"""Two moments in seconds since the epoch: from the first on, and no longer at the second."""


def joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans in the order of their beginnings, with those that touch or overlap made one."""
    current: Span | None = None
    for start, end in spans:
        if current is None:
            current = start, end
        elif start <= current[1]:
            current = current[0], max(current[1], end)
        else:
            yield current
            current = start, end
    if current:
        yield current


def counted(start: float, end: float, rests: Iterable[Span]) -> float:
    """The seconds from one moment to another that lie in none of the rests, which are in order."""
    seconds = max(end - start, 0.0)
    for rest_start, rest_end in rests:
        if rest_start >= end:
            break
        seconds -= max(min(rest_end, end) - max(rest_start, start), 0.0)
    return max(seconds, 0.0)


def moment_after(start: float, seconds: float, rests: Iterable[Span]) -> float:
    """The moment at which so many seconds outside the rests, which are in order, have gone by."""
    at, left = start, seconds
    for rest_start, rest_end in rests:
        if rest_end <= at:
            continue
        if rest_start > at and left <= rest_start - at:
            break
        left -= max(rest_start - at, 0.0)
        at = rest_end
    return at + left
