"""A turn of several actions, built up step by step before it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core import IllegalAction, Position
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
    def begun_at(self) -> int:
        """The number of actions before the turn that the next action is part of."""
        return self.position.ply - len(self.position.turn)

    @property
    def is_complete(self) -> bool:
        """Whether the turn is complete and only has to be confirmed."""
        return self.is_begun and self.position.is_between_turns


def turn_of(table: Table, seat: models.Seat | None) -> Turn:
    """The turn that a seat has begun; an empty one if it has not, or if the game has gone on since."""
    base = table.match.position
    if seat is None or not table.has_seen(seat.draft_base) or table.to_act != seat.number:
        return Turn((), base, base)
    return build_turn(base, seat.draft)


def build_turn(base: Position, actions: Sequence[str]) -> Turn:
    """These actions on top of a position. Raises Refused for too many, IllegalAction for one that is none."""
    position = base
    for action in actions:
        if position.is_over or (position is not base and not position.turn):
            raise Refused(lazy_message("this turn is complete: confirm it, or undo a step"))
        position = position.play(action)
    return Turn(tuple(actions), position, base)


def extend_turn(turn: Turn, action: str) -> Turn:
    """A turn with one more action, or with what a click on a point means on which none is allowed: the action
    of the only cell round it that has one. Raises as `build_turn`."""
    try:
        return build_turn(turn.base, (*turn.actions, action))
    except IllegalAction:
        around = _actions_around(turn.position, action)
        if len(around) != 1:
            raise
        return build_turn(turn.base, (*turn.actions, *around))


def _actions_around(position: Position, point: str) -> list[str]:
    """The legal actions of the cells that a point belongs to."""
    geometry, actions = position.game.geometry, position.game.actions
    cells = {cell.name for cell in geometry.cells if point in (geometry.names[at] for at in cell.points)}
    if not cells:
        return []
    return [actions[number].text for number in position.legal_actions() if actions[number].cell in cells]
