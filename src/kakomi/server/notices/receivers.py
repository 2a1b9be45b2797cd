"""What tables and accounts tell, made into notices in the same transaction.

Games without a second person have none. A guest who becomes a user keeps their notices, each of them once.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest, User
from kakomi.server.accounts.sessions import PUSH_KEY
from kakomi.server.notices.kinds import REMINDER, TIME_LOW, TURN
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice, Wish
from kakomi.server.notices.services import end_turn, notify, notify_all, point_turn
from kakomi.server.tables import models
from kakomi.server.tables.models import Seat
from kakomi.server.tables.selectors import seats_of
from kakomi.server.tables.wording import abort_seats
from kakomi.session import Entry, Table
from kakomi.session.events import QUIET


def hear_of_opening(row: models.Table, *, follows: bool = False, **_: object) -> None:
    """A table begins: if nobody is missing, somebody is to act. All hear of a rematch over days."""
    if _people(row.begun["seats"]) > 1:
        point_turn(row)
        if follows and row.pace != "live":
            notify_all(sorted(_guests(row)), "game_begun", str(row.pk), table=row)


def hear_of_sitter(row: models.Table, seat: models.Seat, guest: Guest, **_: object) -> None:
    """Somebody sits down: the others hear of it, and once nobody is missing somebody is to act."""
    for other in _guests(row) - {guest.pk}:
        notify(other, "seat_taken", f"{row.pk}.{seat.number}", table=row)
    if not row.is_over:
        point_turn(row)


def hear_of_decline(row: models.Table, seat: models.Seat, reason: str, **_: object) -> None:
    """Somebody declines an invitation: whoever sits there hears of it, and why."""
    for guest in _guests(row):
        key = f"{row.pk}.{seat.invitation[:8]}"
        notify(guest, "invitation_declined", key, {"reason": _DECLINED.get(reason, "")}, table=row)


_DECLINED = {
    "declined busy": lazy_message("They have no time now."),
    "declined clock": lazy_message("They would like another clock."),
    "declined game": lazy_message("They would like another game or board."),
}


def hear_of_entries(
    row: models.Table, before: Table, table: Table, entries: Sequence[Entry], **_: object
) -> None:
    """Something is done: another is to act, is asked something, or the match is over."""
    if sum(not seat.is_bot for seat in table.match.seats) < 2:
        return
    doers = {entry.seat for entry in entries}
    if all(entry.kind in QUIET for entry in entries):
        return
    if table.is_over:
        end_turn(row)
        _tell_end(row, table, doers)
        return
    for entry in entries:
        if entry.kind in _LEAVING:
            _tell_leaving(row, table, entry)
    if table.to_act is None or table.match.seats[table.to_act].is_bot:
        end_turn(row)
    elif not doers == {before.to_act} == {table.to_act}:
        point_turn(row)
    if table.offer and table.offer != before.offer:
        _tell_offer(row, table)


def hear_of_time(row: models.Table, seat: int, *, is_last: bool = True, **_: object) -> None:
    """Somebody is reminded of their turn, or their time runs out soon; each once a turn."""
    guest = row.seats.filter(number=seat).values_list("guest", flat=True).first()
    if guest is not None and len(_guests(row)) > 1:
        notify(guest, TIME_LOW if is_last else REMINDER, f"{row.pk}.{row.warned}", table=row)


def _tell_end(row: models.Table, table: Table, doers: set[int | None]) -> None:
    """Tell everybody but the one who ended it by themselves."""
    kind, losers = _ending(table)
    sitting = {seat.number: seat.guest_id for seat in seats_of(row) if seat.guest_id is not None}
    told = set(sitting.values())
    if len(told) < 2:
        return
    if len(doers) == 1:
        told -= {guest for number, guest in sitting.items() if number in doers}
    notify_all(sorted(told), "over", str(row.pk), {"ending": kind, "losers": losers}, table=row)


def _ending(table: Table) -> tuple[str, list[int]]:
    """Why a match is over, and the seats that ended it so."""
    if table.abort:
        return str(table.abort.value), abort_seats(table)
    leg = table.match.current_game
    kind = leg.result().reason
    return kind, list(leg.seats_out_by(kind))


_LEAVING = {"resign": "resignation", "flag": "time", "forfeit": "forfeit"}
"""By kind of entry why somebody has left."""


def _tell_leaving(row: models.Table, table: Table, entry: Entry) -> None:
    """Tell the others that they play on without somebody, and that one if their time is up."""
    number = int(entry.value or 0) if entry.seat is None else entry.seat
    sitting = {seat.number: seat.guest_id for seat in seats_of(row) if seat.guest_id is not None}
    key, guest = f"{row.pk}.{row.entries}", sitting.get(number)
    if entry.kind == "flag" and guest is not None:
        notify(guest, "time_out", key, table=row)
    gone = {leaver.seat for leaver in table.match.current_game.leavers}
    if number in gone:  # else the next game of the match has begun
        others = {guest for seat, guest in sitting.items() if seat not in gone}
        data = {"ending": _LEAVING[entry.kind], "losers": [number]}
        notify_all(sorted(others), "player_left", f"{key}.{number}", data, table=row)


def _tell_offer(row: models.Table, table: Table) -> None:
    assert table.offer is not None
    asked = row.seats.filter(number__in=table.offer.waiting, guest__isnull=False)
    offerer = row.seats.filter(number=table.offer.seat).values("guest")
    told = set(asked.exclude(guest__in=offerer).values_list("guest", flat=True))
    notify_all(sorted(told), "offer", f"{row.pk}.{row.entries}", {"offer": table.offer.kind}, table=row)


def _guests(row: models.Table) -> set[int]:
    """The numbers of the guests who sit at a table."""
    sitting = row.seats.filter(guest__isnull=False)
    return {number for number in sitting.values_list("guest", flat=True) if number is not None}


def _people(seats: Sequence[dict[str, object]]) -> int:
    return sum(not seat.get("bot") for seat in seats)


def hear_of_signing_in(request: object, user: User, **_: object) -> None:
    """Somebody signs in: what is sent to them speaks the language that their browser does."""
    del request
    Mailing.objects.update_or_create(guest_id=user.guest_id, defaults={"language": get_language() or "en"})


def hear_of_other_hands(request: HttpRequest, **_: object) -> None:
    """Another guest comes to a browser: it no longer takes the push of the one before."""
    Endpoint.objects.filter(pk=request.session.pop(PUSH_KEY, 0)).delete()


def hear_of_signing_out(guest: Guest, **_: object) -> None:
    """All browsers of a guest are signed out: none takes push any more."""
    guest.endpoints.all().delete()


def take_over_notices(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest the notices of another one, what they wish, and what is on its way.

    Must be inside a transaction, and come after the seats. What both have chosen stays as `guest` has it.
    Push ends with the other one's sessions.
    """
    Delivery.objects.filter(guest=left).update(guest=guest)
    wanted = guest.notice_wishes.filter(kind=OuterRef("kind"), channel=OuterRef("channel"))
    _move(Wish.objects.filter(guest=left), Exists(wanted), guest)
    _move(Mailing.objects.filter(guest=left), Exists(Mailing.objects.filter(guest=guest)), guest)
    Notice.objects.filter(about=left).update(about=guest)
    for notice in Notice.objects.filter(guest=left).order_by("pk"):
        _take_over(notice, guest)
    _end_turns_alone(guest)


def _move(rows: "QuerySet[Wish] | QuerySet[Mailing]", is_known: Exists, guest: Guest) -> None:
    rows.filter(is_known).delete()
    rows.update(guest=guest)


def _take_over(notice: Notice, guest: Guest) -> None:
    """Keys end in whom they are for, but those of turns: of two for the same thing one stays."""
    key = notice.key.removesuffix(f".{notice.guest_id}")
    if notice.kind != TURN:
        key = f"{key}.{guest.pk}"
        if Notice.objects.filter(key=key).exists():
            notice.delete()
            return
    Notice.objects.filter(pk=notice.pk).update(guest=guest, key=key)


def _end_turns_alone(guest: Guest) -> None:
    """Who sat at both sides of a table is told no more that it is their turn there."""
    others = Seat.objects.filter(table=OuterRef("table"), guest__isnull=False).exclude(guest=guest)
    Notice.objects.filter(~Exists(others), guest=guest, kind=TURN).delete()
