"""A table as mails show it to one reader."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext

from kakomi.protocol.mail.printing import BoardReport, SeatLine
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.language import translate
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.post.queue import queued_by
from kakomi.server.post.remarks import unanswered_remarks
from kakomi.server.tables import models, selectors, wording
from kakomi.server.tables.clock_texts import clock_face
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.seat_views import SeatView, seat_views
from kakomi.server.tables.upkeep import as_of
from kakomi.server.tables.wording import public_names
from kakomi.session import Table

ALL_ROUNDS = 0
LAST_ROUNDS = 4


def board_report(
    row: models.Table,
    guest: Guest | None,
    *,
    note: str = "",
    rounds: int = LAST_ROUNDS,
    can_reply: bool = True,
) -> BoardReport:
    """A table as it stands, in the language that is spoken; the note comes in that language, too."""
    table, viewer = selectors.table_of(row), Viewer.of(row, guest)
    now = clock.now()
    places = seat_views(row, table, viewer, now)
    seat = _seat(table, viewer)
    queued, dropped = _queued(table, viewer, seat)
    said = [note, dropped, wording.latest(as_of(table, now), places)]
    return BoardReport(
        code=row.code,
        table=table,
        seats=tuple(
            _line(place, name) for place, name in zip(places, public_names(viewer.seats), strict=True)
        ),
        viewer=seat,
        deadline=_moment(row.due_at, guest) if row.due_at and not row.is_over else "",
        link=configuration().address + reverse("table", args=[row.code]),
        rating_changes=_rating_changes(row, places),
        remarks=unanswered_remarks(row, table, guest),
        queued=queued,
        note=" ".join(filter(None, said)),
        rounds=rounds,
        can_reply=can_reply and viewer.is_player,
        has_picture=can_draw(),
    )


def _seat(table: Table, viewer: Viewer) -> int | None:
    """The seat for which somebody reads: the one to act if several are theirs."""
    return table.to_act if table.to_act in viewer.own else next(iter(viewer.own), None)


def _line(place: SeatView, name: str) -> SeatLine:
    clock_words = "" if place.seconds is None else clock_face(place.seconds)
    return SeatLine(name, place.note, clock_words)


def _queued(table: Table, viewer: Viewer, seat: int | None) -> tuple[str, str]:
    """The reader's turn that waits, and what became of one that was just dropped."""
    queued = None if seat is None else queued_by(viewer.seats[seat])
    if queued is None:
        return "", ""
    if queued.dropped_at is None:
        return queued.text, ""
    if not table.has_seen(queued.dropped_at):
        return "", ""
    said = gettext("The turn that you had kept, {turn}, could not be played: {reason}.")
    return "", said.format(turn=queued.text, reason=queued.reason.rstrip("."))


def _rating_changes(row: models.Table, places: tuple[SeatView, ...]) -> tuple[str, ...]:
    if not (row.is_over and row.is_rated):
        return ()
    return tuple(f"{place.name}: {place.note}" for place in places if "→" in place.note)


def _moment(at: float, guest: Guest | None) -> str:
    """A moment by the clocks where somebody lives."""
    zone = guest.time_zone if guest else "UTC"
    local = datetime.fromtimestamp(at, UTC).astimezone(ZoneInfo(zone))
    return f"{translate(formats.date_format(local, 'DATETIME_FORMAT'))} ({zone})"
