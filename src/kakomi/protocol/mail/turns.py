"""Turns as people write them in mails, read at a position."""

from dataclasses import dataclass

from kakomi.core import Position
from kakomi.session import Match


@dataclass(frozen=True)
class ReadTurn:
    """A whole turn, legal where it was read."""

    actions: tuple[str, ...]
    """As the game spells them."""
    position: Position
    """After it."""
    has_password: bool = False
    """Whether two words stood before it where pbmserv has a name and a password: say that none is wanted."""


def read_turn(position: Position, text: str) -> ReadTurn:
    """The one whole turn that a text spells, of the player to act.

    Spelling is lenient; removals may come in any order; the action that does nothing but end a turn may be
    left out. Raises IllegalAction, with a sentence for the sender, for what is no action or not legal, for a
    turn that isn't complete, and for more than one turn.
    """
    raise NotImplementedError


def read_turns(position: Position, text: str) -> tuple[ReadTurn, ...]:
    """The turns, one after the other, that a text spells, for previews; the last may be unfinished.

    Raises IllegalAction for what is no action or not legal.
    """
    raise NotImplementedError


def turns_in(match: Match) -> int:
    """How many turns have been finished in a match, over all its games: what stands behind `#`.

    Turns that were passed for players who resigned count; komi, colours and a swap are no turns.
    """
    raise NotImplementedError
