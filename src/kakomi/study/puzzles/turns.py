"""All turns of the player to act, as the positions that they lead to, and which positions are alike."""

from collections.abc import Iterator
from typing import NamedTuple

from kakomi.core import Position

Key = tuple[bytes, bool]


class Turn(NamedTuple):
    """A whole turn."""

    actions: tuple[str, ...]
    after: Position


def turns_of(position: Position, most: int) -> list[Turn] | None:
    """The turns from a position on, one for each position that they lead to; None if there are more than
    `most`, or too many ways to look at."""
    found: dict[Key, Turn] = {}
    tries = iter(range(8 * most))
    for turn in _turns(position, (), set(), tries):
        if turn is None:
            return None
        found.setdefault((turn.after.key(), turn.after.is_over), turn)
        if len(found) > most:
            return None
    return list(found.values())


def _turns(
    position: Position, played: tuple[str, ...], seen: set[bytes], tries: Iterator[int]
) -> Iterator[Turn | None]:
    """Every way through a turn, but for those that come to what was `seen` within it; None: too many."""
    for action in position.legal():
        if next(tries, None) is None:
            yield None
            return
        after = position.play(action)
        if after.is_between_turns:
            yield Turn((*played, action), after)
        elif after.key() not in seen:
            seen.add(after.key())
            yield from _turns(after, (*played, action), seen, tries)


def canonical_key(position: Position) -> bytes:
    """The same for positions of a game whose stones are alike but for a symmetry of the board."""
    stones = position.states()["stones"][0][: position.game.geometry.points].tolist()
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in position.game.symmetries
    )
    return repr((position.game, position.to_move, min(images))).encode()
