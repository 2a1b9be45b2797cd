"""Handles commands of people at a table: the one way from pages and programs to the log."""

from collections.abc import Sequence

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.realtime.ephemeral import MESSAGES
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.commands import (
    Abort,
    Accept,
    Confirm,
    Decline,
    LoggedCommand,
    Offer,
    Rematch,
    SideCommand,
    Stale,
    Submission,
    TableCommand,
    TakeBack,
    Touch,
    Turn,
    TurnCommand,
    Untouch,
    WishListing,
    Withdraw,
    build_turn,
    extend_turn,
    logged,
    turn_of,
)
from kakomi.server.tables.event_stream import DRAFT
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.services import Outcome
from kakomi.session import Refused, Table

_REPLACED = lazy_message("you have left this game: a bot plays on for you")


def handle_command(row: models.Table, viewer: Viewer, submission: Submission) -> Outcome:
    """Let a viewer do something; a rematch's outcome is the new table, once everybody has agreed.

    Raises Stale, KeyReused, Refused or IllegalAction.
    """
    if not viewer.is_player or viewer.guest is None:
        raise Refused(lazy_message("you are watching: only players act"))
    command, base, digest = submission.command, submission.base, submission.digest
    key = f"{viewer.guest.pk}.{submission.key}"  # a dot is in no sender's key: it can't be one of the site's
    is_beside = isinstance(command, SideCommand)
    if (is_beside or row.entries != base) and services.was_added(row, key, digest):
        return Outcome(row, selectors.table_of(row))
    if isinstance(command, SideCommand):
        return _beside(row, viewer.guest, command)
    if viewer.free and not isinstance(command, Abort):
        raise Refused(lazy_message("not everybody is here yet"))
    before = Outcome(row, selectors.table_of(row))
    if isinstance(command, TurnCommand):
        number = viewer.speaking(before.table)
        if number is None:
            raise Refused(_REPLACED)
        return handle_turn(before, viewer.seats[number], command, base, key, digest)
    seat = _seat(before.table, viewer, command)
    after = services.add(row.code, [logged(command)], seat=seat, base=base, key=key, digest=digest)
    return _agree_with_oneself(after, viewer, key) if _asks(command) else after


def _beside(row: models.Table, guest: Guest, command: SideCommand) -> Outcome:
    match command:
        case Rematch():
            row = services.rematch(row, guest)
        case WishListing(wanted):
            row = services.wish_listing(row, guest, wanted=wanted)
    return Outcome(row, selectors.table_of(row))


def _seat(table: Table, viewer: Viewer, command: LoggedCommand) -> int:
    """The viewer's seat that a command is for."""
    match command:
        case Accept() | Decline():
            number = viewer.answering(table)
        case TakeBack() | Offer("takeback"):
            number = viewer.undoing(table)
        case Withdraw() if table.offer and table.offer.seat in viewer.own:
            number = table.offer.seat
        case _:
            number = viewer.speaking(table)
    if number is None and not viewer.playing(table):
        raise Refused(_REPLACED)
    if number is None:
        raise Refused(lazy_message("there is no open offer for you to answer"))
    return number


def _asks(command: TableCommand) -> bool:
    return isinstance(command, Offer | TakeBack)


def _agree_with_oneself(after: Outcome, viewer: Viewer, key: str) -> Outcome:
    """Accept an offer at once for a viewer who plays both sides."""
    while after.table.offer and (other := viewer.answering(after.table)) is not None:
        entries, base = [logged(Accept())], after.row.entries
        after = services.add(after.row.code, entries, seat=other, base=base, key=f"{key}.{other}")
    return after


def handle_turn(
    before: Outcome, seat: models.Seat, command: TurnCommand, base: int, key: str, digest: str = ""
) -> Outcome:
    """Let a seat work on its turn. Raises Stale, KeyReused, Refused or IllegalAction."""
    name = (key, digest)
    match command:
        case Touch(action, seen):
            return _extend(before, seat, seen, action, base, name)
        case Untouch(seen):
            return _shorten(before, seat, seen, base)
        case Confirm(actions):
            if not actions:
                raise Refused(lazy_message("there is no turn to confirm: play first"))
            return _send(before, seat, actions, base, name)


def _extend(
    before: Outcome, seat: models.Seat, seen: Sequence[str], action: str, base: int, name: tuple[str, str]
) -> Outcome:
    """Add an action to a seat's turn; `seen` is the turn as its player saw it when they acted.

    An action that is a whole turn by itself is sent at once, and so is every action of a player who
    doesn't want to confirm.
    """
    _expect(before, seat, base)
    begun = turn_of(before.table, seat)
    if begun.actions != tuple(seen):
        if _has_extended(begun, seen, action):
            return before
        raise Stale
    grown = extend_turn(begun, action)
    confirms = seat.guest is None or seat.guest.confirms_turns
    if not confirms or (grown.is_complete and len(grown.actions) == 1):
        return _send(before, seat, grown.actions, base, name)
    _keep(before, seat, grown.actions)
    return before


def _has_extended(turn: Turn, seen: Sequence[str], action: str) -> bool:
    """Whether a turn is what an action has made of the one that its player saw."""
    is_longer = turn.is_begun and turn.actions[:-1] == tuple(seen)
    return is_longer and turn.actions == extend_turn(build_turn(turn.base, seen), action).actions


def _shorten(before: Outcome, seat: models.Seat, seen: Sequence[str], base: int) -> Outcome:
    """Take back the last action of a turn that is not sent yet; of a turn without one, nothing."""
    _expect(before, seat, base)
    begun = turn_of(before.table, seat)
    if begun.actions == tuple(seen[:-1]):
        return before
    if begun.actions != tuple(seen):
        raise Stale
    _keep(before, seat, begun.actions[:-1])
    return before


def _send(
    before: Outcome, seat: models.Seat, actions: Sequence[str], base: int, name: tuple[str, str]
) -> Outcome:
    key, digest = name
    entries = [("play", action) for action in actions]
    return services.add(before.row.code, entries, seat=seat.number, base=base, key=key, digest=digest)


def _expect(before: Outcome, seat: models.Seat, base: int) -> None:
    if not before.table.has_seen(base):
        raise Stale
    if before.table.to_act != seat.number or before.table.match.phase != "play":
        raise Refused(lazy_message("it isn't your turn"))


def _keep(before: Outcome, seat: models.Seat, actions: Sequence[str]) -> None:
    """Put a turn as far as it has come on disk, and tell its player's other pages."""
    known = models.Seat.objects.filter(pk=seat.pk, draft=seat.draft, draft_base=seat.draft_base)
    seat.draft, seat.draft_base = list(actions), before.table.entries
    with writing():
        if not known.update(draft=seat.draft, draft_base=seat.draft_base):
            raise Stale
    if seat.guest_id is not None:
        MESSAGES.tell(before.row.code, DRAFT, tuple(actions), to=seat.guest_id)
