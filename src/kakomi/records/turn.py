"""One turn of a record, and how turns make a tree."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kakomi.core.i18n import lazy_message
from kakomi.records.exceptions import located
from kakomi.records.text import Text, Word

Seconds = Annotated[float, Meta(ge=0, le=1e9)]
"""A time in seconds, kept to the millisecond."""
Player = Annotated[int, Meta(ge=0, le=63)]


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a player did until another was to act. The last turn of a line may be unfinished."""

    after: Annotated[int, Meta(ge=0)] | None = None
    """Number of the turn it follows, 0 for the start; None: the turn listed before it."""
    player: Player
    actions: Annotated[tuple[Word, ...], Meta(min_length=1)]
    seconds: Seconds | None = None
    """The player's thinking time, in seconds."""
    clock: Seconds | None = None
    """The time left on the player's clock after the turn."""
    comment: Text = ""

    def __post_init__(self) -> None:
        for name in ("seconds", "clock"):
            if isinstance(time := getattr(self, name), float):
                force_setattr(self, name, round(time, 3))


class Tree:
    """Which turns follow which. Turn n is the nth of the list, counted from 1, and 0 is the start.

    The first turn to follow another continues its line; the others are variations. Numbers stand in
    for nodes and loops for recursion: a game may be thousands of turns long.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Raises RecordError if a turn follows one that isn't listed before it."""
        self.before = [0]
        """Turn number -> number of the turn that it follows."""
        self.followers: list[list[int]] = [[]]
        """Turn number -> numbers of the turns that follow it."""
        for number, turn in enumerate(turns, 1):
            before = number - 1 if turn.after is None else turn.after
            if not 0 <= before < number:
                wrong = lazy_message("{number} is not the number of an earlier turn", number=before)
                raise located(f"turns[{number - 1}].after", wrong)
            self.before.append(before)
            self.followers.append([])
            self.followers[before].append(number)

    def line_to(self, number: int) -> list[int]:
        """The turns from the first to this one."""
        line = []
        while number:
            line.append(number)
            number = self.before[number]
        return line[::-1]

    @property
    def main_line(self) -> list[int]:
        """The turns of the game itself."""
        line = []
        number = 0
        while self.followers[number]:
            number = self.followers[number][0]
            line.append(number)
        return line

    @property
    def preorder(self) -> list[int]:
        """All turns, each line to its end before the variations from it, the latest variation first."""
        order = []
        waiting = self.followers[0][::-1]
        while waiting:
            number = waiting.pop()
            order.append(number)
            waiting.extend(reversed(self.followers[number]))
        return order


def in_order(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The same tree in the one way that records list it: in preorder, `after` only where it is needed.

    Raises RecordError if the turns make no tree.
    """
    tree = Tree(turns)
    renumbered = {0: 0}
    listed = []
    for place, number in enumerate(tree.preorder, 1):
        renumbered[number] = place
        before = renumbered[tree.before[number]]
        listed.append(_following(turns[number - 1], None if before == place - 1 else before))
    return tuple(listed)


def _following(turn: Turn, after: int | None) -> Turn:
    return turn if turn.after == after else replace(turn, after=after)
