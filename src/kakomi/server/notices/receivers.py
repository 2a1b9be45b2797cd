"""Receivers of signals from tables and accounts, which write notices in the same transaction.

Games with only one person get none. A guest who signs in keeps their notices, without duplicates.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.sessions import PUSH_KEY
from kakomi.server.notices.kinds import REMINDER, TIME_LOW, TURN
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice, Preference
from kakomi.server.notices.services import delete_turn_notice, move_turn_notice, notify, notify_all
from kakomi.server.tables import models
from kakomi.server.tables.models import Seat
from kakomi.server.tables.selectors import seats_of
from kakomi.server.tables.wording import abort_seats
from kakomi.session import Entry, Table
from kakomi.session.events import NON_BLOCKING_KINDS


def on_table_opened(row: models.Table, *, follows: bool = False, **_: object) -> None:
    """A table opens: tell the player to act if no seat is free, and all about a correspondence rematch."""
    if _people(row.begun["seats"]) > 1:
        move_turn_notice(row)
        if follows and row.pace != "live":
            notify_all(sorted(_guests(row)), "game_begun", str(row.pk), table=row)


def on_seat_taken(row: models.Table, seat: models.Seat, guest: Guest, **_: object) -> None:
    """A guest takes a seat: tell the others, and the player to act once no seat is free."""
    for other in _guests(row) - {guest.pk}:
        notify(other, "seat_taken", f"{row.pk}.{seat.number}", table=row)
    if not row.is_over:
        move_turn_notice(row)


def on_seat_declined(row: models.Table, seat: models.Seat, reason: str, **_: object) -> None:
    """An invitation is declined: tell the guests at the table, with the reason."""
    for guest in _guests(row):
        key = f"{row.pk}.{seat.invitation[:8]}"
        notify(guest, "invitation_declined", key, {"reason": _DECLINED.get(reason, "")}, table=row)


_DECLINED = {
    "declined busy": lazy_message("No time right now."),
    "declined clock": lazy_message("They’d like another time control."),
    "declined game": lazy_message("They’d like another game or board."),
}


def on_entries_added(
    row: models.Table, before: Table, table: Table, entries: Sequence[Entry], **_: object
) -> None:
    """Entries are added: tell the next player to act, players asked by an offer, or all if it is over."""
    if sum(not seat.is_bot for seat in table.match.seats) < 2:
        return
    doers = {entry.seat for entry in entries}
    if all(entry.kind in NON_BLOCKING_KINDS for entry in entries):
        return
    if table.is_over:
        delete_turn_notice(row)
        _tell_end(row, table, doers)
        return
    for entry in entries:
        if entry.kind in _LEAVING:
            _tell_leaving(row, table, entry)
    if table.to_act is None or table.match.seats[table.to_act].is_bot:
        delete_turn_notice(row)
    elif not doers == {before.to_act} == {table.to_act}:
        move_turn_notice(row)
    if table.offer and table.offer != before.offer:
        _tell_offer(row, table)


def on_time_running_out(row: models.Table, seat: int, *, is_last: bool = True, **_: object) -> None:
    """A player's time is running out: remind or warn them, each once per turn."""
    guest = row.seats.filter(number=seat).values_list("guest", flat=True).first()
    if guest is not None and len(_guests(row)) > 1:
        notify(guest, TIME_LOW if is_last else REMINDER, f"{row.pk}.{row.warned}", table=row)


def _tell_end(row: models.Table, table: Table, doers: set[int | None]) -> None:
    """Tell everyone about the end except a player who brought it about alone."""
    kind, losers = _ending(table)
    sitting = {seat.number: seat.guest_id for seat in seats_of(row) if seat.guest_id is not None}
    recipients = set(sitting.values())
    if len(recipients) < 2:
        return
    if len(doers) == 1:
        recipients -= {guest for number, guest in sitting.items() if number in doers}
    notify_all(sorted(recipients), "over", str(row.pk), {"ending": kind, "losers": losers}, table=row)


def _ending(table: Table) -> tuple[str, list[int]]:
    """The reason for a match's end, and the seats responsible."""
    if table.abort:
        return str(table.abort.value), abort_seats(table)
    game = table.match.current_game
    kind = game.result().reason
    return kind, list(game.seats_out_by(kind))


_LEAVING = {"resign": "resignation", "flag": "time", "forfeit": "forfeit"}
"""Kind of log entry -> reason for leaving."""


def _tell_leaving(row: models.Table, table: Table, entry: Entry) -> None:
    """Tell the others that they play on without a player, and that player if their time ran out."""
    number = int(entry.value or 0) if entry.seat is None else entry.seat
    sitting = {seat.number: seat.guest_id for seat in seats_of(row) if seat.guest_id is not None}
    key, guest = f"{row.pk}.{row.entries}", sitting.get(number)
    if entry.kind == "flag" and guest is not None:
        notify(guest, "time_out", key, table=row)
    gone = {leaver.seat for leaver in table.match.current_game.leavers}
    if number in gone:  # otherwise the match's next game has begun
        others = {guest for seat, guest in sitting.items() if seat not in gone}
        data = {"ending": _LEAVING[entry.kind], "losers": [number]}
        notify_all(sorted(others), "player_left", f"{key}.{number}", data, table=row)


def _tell_offer(row: models.Table, table: Table) -> None:
    assert table.offer is not None
    asked = row.seats.filter(number__in=table.offer.waiting, guest__isnull=False)
    offerer = row.seats.filter(number=table.offer.seat).values("guest")
    recipients = set(asked.exclude(guest__in=offerer).values_list("guest", flat=True))
    notify_all(sorted(recipients), "offer", f"{row.pk}.{row.entries}", {"offer": table.offer.kind}, table=row)


def _guests(row: models.Table) -> set[int]:
    """The primary keys of the guests at a table."""
    sitting = row.seats.filter(guest__isnull=False)
    return {number for number in sitting.values_list("guest", flat=True) if number is not None}


def _people(seats: Sequence[dict[str, object]]) -> int:
    return sum(not seat.get("bot") for seat in seats)


def on_sign_in(request: object, user: User, **_: object) -> None:
    """A user signs in: mail and push to them will use the browser's language."""
    del request
    Mailing.objects.update_or_create(guest_id=user.guest_id, defaults={"language": get_language() or "en"})


def on_browser_changing_guest(request: HttpRequest, **_: object) -> None:
    """A browser changes to another guest: remove the previous guest's push endpoint."""
    Endpoint.objects.filter(pk=request.session.pop(PUSH_KEY, 0)).delete()


def on_sign_out(guest: Guest, **_: object) -> None:
    """All of a guest's browsers are signed out: remove their push endpoints."""
    guest.endpoints.all().delete()


def take_over_notices(*, left: Guest, guest: Guest, **_: object) -> None:
    """Move notices, preferences and deliveries from `left` to `guest`.

    Call in a transaction, after the seats have moved. Where both have a preference, `guest`'s stays. Push
    endpoints end with `left`'s sessions.
    """
    Delivery.objects.filter(guest=left).update(guest=guest)
    wanted = guest.notice_preferences.filter(kind=OuterRef("kind"), channel=OuterRef("channel"))
    _move(Preference.objects.filter(guest=left), Exists(wanted), guest)
    _move(Mailing.objects.filter(guest=left), Exists(Mailing.objects.filter(guest=guest)), guest)
    Notice.objects.filter(about=left).update(about=guest)
    for notice in Notice.objects.filter(guest=left).order_by("pk"):
        _take_over(notice, guest)
    _end_turns_alone(guest)


def _move(rows: "QuerySet[Preference] | QuerySet[Mailing]", is_known: Exists, guest: Guest) -> None:
    rows.filter(is_known).delete()
    rows.update(guest=guest)


def _take_over(notice: Notice, guest: Guest) -> None:
    """Move a notice. Keys, except of turns, end in the guest's primary key; duplicates are deleted."""
    key = notice.key.removesuffix(f".{notice.guest_id}")
    if notice.kind != TURN:
        key = f"{key}.{guest.pk}"
        if Notice.objects.filter(key=key).exists():
            notice.delete()
            return
    Notice.objects.filter(pk=notice.pk).update(guest=guest, key=key)


def _end_turns_alone(guest: Guest) -> None:
    """Delete turn notices at tables where the guest has turned out to be the only person."""
    others = Seat.objects.filter(table=OuterRef("table"), guest__isnull=False).exclude(guest=guest)
    Notice.objects.filter(~Exists(others), guest=guest, kind=TURN).delete()
