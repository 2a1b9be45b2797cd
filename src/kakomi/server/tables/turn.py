"""A turn of several actions, built up step by step before it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.server.tables import models
from kakomi.session import Refused, Table


@dataclass(frozen=True)
class Turn:
    """The unfinished turn of the seat to act, on top of the table."""

    actions: tuple[str, ...]
    position: Position
    """With the actions on the board."""
    base: Position

    @property
    def is_begun(self) -> bool:
        """Whether there is anything to take back or to confirm."""
        return bool(self.actions)

    @property
    def is_complete(self) -> bool:
        """Whether the turn is complete and only has to be confirmed."""
        return self.is_begun and (self.position.is_over or not self.position.turn)


def turn_of(table: Table, seat: models.Seat | None) -> Turn:
    """The turn that a seat has begun; an empty one if it has not, or if the game has gone on since."""
    base = table.match.position
    if seat is None or seat.draft_base != table.entries or table.to_act != seat.number:
        return Turn((), base, base)
    return build_turn(base, seat.draft)


def build_turn(base: Position, actions: Sequence[str]) -> Turn:
    """These actions on top of a position. Raises Refused for too many, IllegalAction for one that is none."""
    position = base
    for action in actions:
        if position.is_over or (position is not base and not position.turn):
            raise Refused(lazy_message("this turn is complete: confirm it, or take something of it back"))
        position = position.play(action)
    return Turn(tuple(actions), position, base)
