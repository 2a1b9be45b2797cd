"""Places of the seats of a game or a match, for any number of seats."""

from collections.abc import Sequence


def places(scores: Sequence[float], left: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the place of every seat, from 1: first by score, then those who left, later leavers first.

    Equal scores share a place, and the following places are skipped: 1, 1, 3. `left` contains the seats that
    left, in that order. Raises ValueError for a seat that doesn't exist or left twice.
    """
    if len(set(left)) != len(left) or not set(left) <= set(range(len(scores))):
        raise ValueError(f"the seats that left should be some of 0 to {len(scores) - 1}, each once")
    staying = [(0, scores[seat]) for seat in range(len(scores))]
    for order, seat in enumerate(left):
        staying[seat] = (order - len(left), 0.0)
    return ranks(staying)


def ranks(worth: Sequence[tuple[float, ...] | float]) -> tuple[int, ...]:
    """Return the place of each item, from 1, the highest worth first; equals share a place."""
    return tuple(1 + sum(other > own for other in worth) for own in worth)  # type: ignore[operator]
