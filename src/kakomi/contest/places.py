"""Places of the seats of a game or a match, for 2 to 6 and any number."""

from collections.abc import Sequence


def places(scores: Sequence[float], left: Sequence[int] = ()) -> tuple[int, ...]:
    """The place of every seat, from 1: by score, then those who left, the earlier the lower.

    Equal scores share a place, and the next place is as many lower as there are seats on it: 1, 1, 3. `left`
    has the seats that left, in the order in which they did. Raises ValueError for a seat that there is not,
    or that left twice.
    """
    if len(set(left)) != len(left) or not set(left) <= set(range(len(scores))):
        raise ValueError(f"the seats that left should be some of 0 to {len(scores) - 1}, each once")
    staying = [(0, scores[seat]) for seat in range(len(scores))]
    for order, seat in enumerate(left):
        staying[seat] = (order - len(left), 0.0)
    return ranks(staying)


def ranks(worth: Sequence[tuple[float, ...] | float]) -> tuple[int, ...]:
    """The place of each, from 1, the highest worth first; equals share a place."""
    return tuple(1 + sum(other > own for other in worth) for own in worth)  # type: ignore[operator]
