"""Handles commands of people at a table: pages and programs write to the log only through these."""

from collections.abc import Sequence

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.realtime.ephemeral import MESSAGES
from kakomi.server.site.database import writing
from kakomi.server.tables import deadlines, models, selectors, services
from kakomi.server.tables.commands import (
    Abort,
    Accept,
    Confirm,
    Decide,
    Decline,
    LoggedCommand,
    Offer,
    Rematch,
    SideCommand,
    Stale,
    Submission,
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
from kakomi.server.tables.permissions import Viewer, may_decide
from kakomi.server.tables.services import TableChange
from kakomi.session import Refused, Table

_REPLACED = lazy_message("you have left this game: a bot is playing for you")


def handle_table_command(row: models.Table, viewer: Viewer, submission: Submission) -> TableChange:
    """Execute a viewer's command. Once everybody agrees to a rematch, its outcome is the new table.

    Raises Stale, KeyReused, Refused or IllegalAction.
    """
    if not viewer.is_player or viewer.guest is None:
        raise Refused(lazy_message("you’re watching: only players can do that"))
    command, base, digest = submission.command, submission.base, submission.digest
    key = f"{viewer.guest.pk}.{submission.key}"  # senders' keys have no dot, so this is no key of the site
    if isinstance(command, Decide):
        return _decide(TableChange(row, selectors.table_of(row)), viewer, command.choice, base)
    is_side = isinstance(command, SideCommand)
    if (is_side or row.entries != base) and services.was_added(row, key, digest):
        return TableChange(row, selectors.table_of(row))
    if isinstance(command, SideCommand):
        return _handle_side_command(row, viewer.guest, command)
    if viewer.free and not isinstance(command, Abort):
        raise Refused(lazy_message("not all players have joined yet"))
    before = TableChange(row, selectors.table_of(row))
    if isinstance(command, TurnCommand):
        number = viewer.seat_to_resign(before.table)
        if number is None:
            raise Refused(_REPLACED)
        return handle_turn(before, viewer.seats[number], command, base, key, digest)
    seat = _seat(before.table, viewer, command)
    after = services.add(row.code, [logged(command)], seat=seat, base=base, key=key, digest=digest)
    return _agree_with_oneself(after, viewer, key) if isinstance(command, Offer | TakeBack) else after


def _decide(before: TableChange, viewer: Viewer, choice: str, base: int) -> TableChange:
    """Play for a bot. Does nothing if it isn't the bot's turn any more, as when an engine here was faster."""
    row, table = before
    if row.entries != base or table.to_act is None or not may_decide(row, table, viewer):
        return before
    if not choice:
        deadlines.stop_awaiting_browser(row)
        return before
    entry = ("swap", None) if choice == "swap" else ("play", choice)
    try:
        return services.add(row.code, [entry], seat=table.to_act, base=base, key=f"bot.{base}")
    except Stale:
        return before


def _handle_side_command(row: models.Table, guest: Guest, command: SideCommand) -> TableChange:
    match command:
        case Rematch():
            row = services.rematch(row, guest)
        case WishListing(wanted):
            row = services.wish_listing(row, guest, wanted=wanted)
    return TableChange(row, selectors.table_of(row))


def _seat(table: Table, viewer: Viewer, command: LoggedCommand) -> int:
    """The viewer's seat that a command is for."""
    match command:
        case Accept() | Decline():
            number = viewer.seat_to_answer(table)
        case TakeBack() | Offer("takeback"):
            number = viewer.seat_to_take_back(table)
        case Withdraw() if table.offer and table.offer.seat in viewer.own:
            number = table.offer.seat
        case _:
            number = viewer.seat_to_resign(table)
    if number is None and not viewer.playing(table):
        raise Refused(_REPLACED)
    if number is None:
        raise Refused(lazy_message("there is no open offer for you to answer"))
    return number


def _agree_with_oneself(after: TableChange, viewer: Viewer, key: str) -> TableChange:
    """Accept an offer at once for the viewer's other seats."""
    while after.table.offer and (other := viewer.seat_to_answer(after.table)) is not None:
        entries, base = [logged(Accept())], after.row.entries
        after = services.add(after.row.code, entries, seat=other, base=base, key=f"{key}.{other}")
    return after


def handle_turn(
    before: TableChange, seat: models.Seat, command: TurnCommand, base: int, key: str, digest: str = ""
) -> TableChange:
    """Add to, take back from or send a seat's turn. Raises Stale, KeyReused, Refused or IllegalAction."""
    name = (key, digest)
    match command:
        case Touch(action, seen):
            return _extend(before, seat, seen, action, base, name)
        case Untouch(seen):
            return _shorten(before, seat, seen, base)
        case Confirm(actions):
            if not actions:
                raise Refused(lazy_message("there is no move to confirm: make one first"))
            return _send(before, seat, actions, base, name)


def _extend(
    before: TableChange, seat: models.Seat, seen: Sequence[str], action: str, base: int, name: tuple[str, str]
) -> TableChange:
    """Add an action to a seat's turn; `seen` is the turn as its player saw it when they acted.

    An action that is a whole turn is sent at once, as is every action of a player who doesn't confirm turns.
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
    """Whether a turn is the one that its player saw, extended by the action: the command was sent twice."""
    is_longer = turn.is_begun and turn.actions[:-1] == tuple(seen)
    return is_longer and turn.actions == extend_turn(build_turn(turn.base, seen), action).actions


def _shorten(before: TableChange, seat: models.Seat, seen: Sequence[str], base: int) -> TableChange:
    """Take back the last action of a turn that isn't sent yet, if it has any."""
    _expect(before, seat, base)
    begun = turn_of(before.table, seat)
    if begun.actions == tuple(seen[:-1]):
        return before
    if begun.actions != tuple(seen):
        raise Stale
    _keep(before, seat, begun.actions[:-1])
    return before


def _send(
    before: TableChange, seat: models.Seat, actions: Sequence[str], base: int, name: tuple[str, str]
) -> TableChange:
    key, digest = name
    entries = [("play", action) for action in actions]
    return services.add(before.row.code, entries, seat=seat.number, base=base, key=key, digest=digest)


def _expect(before: TableChange, seat: models.Seat, base: int) -> None:
    if not before.table.has_seen(base):
        raise Stale
    if before.table.to_act != seat.number or before.table.match.phase != "play":
        raise Refused(lazy_message("it isn’t your turn"))


def _keep(before: TableChange, seat: models.Seat, actions: Sequence[str]) -> None:
    """Save an unfinished turn as the seat's draft, and send it to its player's other pages."""
    known = models.Seat.objects.filter(pk=seat.pk, draft=seat.draft, draft_base=seat.draft_base)
    seat.draft, seat.draft_base = list(actions), before.table.entries
    with writing():
        if not known.update(draft=seat.draft, draft_base=seat.draft_base):
            raise Stale
    if seat.guest_id is not None:
        MESSAGES.tell(before.row.code, DRAFT, tuple(actions), to=seat.guest_id)
