"""A turn of several actions, built up step by step before it is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.server.database import writing
from kakomi.server.realtime.ephemeral import DRAFT, MESSAGES
from kakomi.server.tables import models, services
from kakomi.session import Refused, Table


@dataclass(frozen=True)
class Turn:
    """What the seat to act has put together, on top of the table as it stands."""

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
        """Whether somebody else is to act now, or nobody: what is left is to confirm."""
        return self.is_begun and (self.position.is_over or not self.position.turn)


def turn_of(table: Table, seat: models.Seat | None) -> Turn:
    """The turn that a seat has begun; an empty one if it has not, or if the game has gone on since."""
    base = table.match.position
    if seat is None or seat.draft_base != table.entries or table.to_act != seat.number:
        return Turn((), base, base)
    return _built(base, seat.draft)


def extend(
    row: models.Table, seat: models.Seat, seen: Sequence[str], action: str, key: str, base: int
) -> models.Table:
    """Add an action to a seat's turn; `seen` is the turn as its player saw it when they acted.

    An action that is a whole turn by itself is sent at once, and so is every action of a player who
    doesn't want to confirm. Gives the table's row afterwards. Raises Stale, Refused or IllegalAction.
    """
    if row.entries != base and services.was_added(row, key):
        return row
    table = services.table_of(row)
    _expect(row, seat, table, base)
    begun = turn_of(table, seat)
    if begun.actions == (*seen, action):
        return row
    if begun.actions != tuple(seen):
        raise services.Stale
    grown = _built(begun.base, (*begun.actions, action))
    confirms = seat.guest is None or seat.guest.confirms_turns
    if not confirms or (grown.is_complete and len(grown.actions) == 1):
        return send(row, seat, grown.actions, base=base, key=key)
    _keep(row, seat, table, grown.actions)
    return row


def shorten(row: models.Table, seat: models.Seat, seen: Sequence[str], base: int) -> models.Table:
    """Take back the last action of a turn that is not sent yet. Raises Stale or Refused."""
    table = services.table_of(row)
    _expect(row, seat, table, base)
    begun = turn_of(table, seat)
    if begun.actions == tuple(seen[:-1]):
        return row
    if begun.actions != tuple(seen):
        raise services.Stale
    if not begun.is_begun:
        raise Refused(lazy_message("there is nothing of this turn to take back"))
    _keep(row, seat, table, begun.actions[:-1])
    return row


def confirm(row: models.Table, seat: models.Seat, seen: Sequence[str], key: str, base: int) -> models.Table:
    """Send the turn as its player saw it. Raises Stale or Refused."""
    if not seen:
        raise Refused(lazy_message("there is no turn to confirm: play first"))
    return send(row, seat, seen, base=base, key=key)


def send(
    row: models.Table, seat: models.Seat, actions: Sequence[str], *, base: int, key: str
) -> models.Table:
    """Play actions one after the other. Raises Stale, Refused or IllegalAction."""
    deeds = [("play", action) for action in actions]
    return services.add(row.code, deeds, seat=seat.number, base=base, key=key)[0]


def _built(base: Position, actions: Sequence[str]) -> Turn:
    position = base
    for action in actions:
        if position.is_over or (position is not base and not position.turn):
            raise Refused(lazy_message("this turn is complete: confirm it, or take something of it back"))
        position = position.play(action)
    return Turn(tuple(actions), position, base)


def _expect(row: models.Table, seat: models.Seat, table: Table, base: int) -> None:
    if row.entries != base:
        raise services.Stale
    if table.to_act != seat.number or table.match.phase != "play":
        raise Refused(lazy_message("it isn't your turn"))


def _keep(row: models.Table, seat: models.Seat, table: Table, actions: Sequence[str]) -> None:
    """Put a turn as far as it has come on disk, and tell its player's other pages."""
    known = models.Seat.objects.filter(pk=seat.pk, draft=seat.draft, draft_base=seat.draft_base)
    seat.draft, seat.draft_base = list(actions), table.entries
    with writing():
        if not known.update(draft=seat.draft, draft_base=seat.draft_base):
            raise services.Stale
    if seat.guest_id is not None:
        MESSAGES.tell(row.code, DRAFT, tuple(actions), to=seat.guest_id)
