"""A table as mails show it to one reader."""

from django.urls import reverse
from django.utils.translation import gettext

from kakomi.protocol.mail.printing import (
    Block,
    BoardReport,
    SeatLine,
    joined,
    remark_block,
)
from kakomi.protocol.mail.printing.blocks import block_of_lines, html_paragraph, wrapped
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.selectors import is_off
from kakomi.server.configuration import configuration
from kakomi.server.language import translate
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.lobby.selectors import find_seek
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.notices.presenters import moment_in_words
from kakomi.server.post.queue import queued_by
from kakomi.server.post.remarks import unanswered_remarks
from kakomi.server.tables import models, selectors, wording
from kakomi.server.tables.clock_texts import clock_face, clock_label
from kakomi.server.tables.deadlines import as_of
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.seats import SeatView, seat_views
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
    said = [note, dropped, *_told(row, table, seat, places, now)]
    return BoardReport(
        number=row.number,
        table=table,
        seats=tuple(
            _line(table, place, name) for place, name in zip(places, public_names(viewer.seats), strict=True)
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


def _line(table: Table, place: SeatView, name: str) -> SeatLine:
    """A seat with what is left of its time, where that does not begin anew with each turn."""
    is_kept = table.clock is not None and table.clock.time.kind != "days"
    clock_words = clock_face(place.seconds) if is_kept and place.seconds is not None else ""
    return SeatLine(name, place.note, clock_words)


def _told(
    row: models.Table, table: Table, seat: int | None, places: tuple[SeatView, ...], now: float
) -> tuple[str, ...]:
    """What was done last, and before that that a turn was played which the reader had kept."""
    plays = [(number, entry) for number, entry in enumerate(table.history, 1) if entry.kind == "play"]
    last = {number: entry for number, entry in plays if entry.at == plays[-1][1].at}
    own = [(number, entry) for number, entry in plays if entry.seat == seat]
    turn = {number: entry for number, entry in own if entry.at == own[-1][1].at}
    kept = row.log.filter(number__in=[*last, *turn], key__startswith="queued:").values_list(
        "number", flat=True
    )
    seats = {entry.seat for number, entry in last.items() if number in kept and entry.seat is not None}
    latest = wording.latest(as_of(table, now), places, seats)
    if seat in seats or not any(number in kept for number in turn):
        return (latest,)
    actions = " ".join(str(entry.value) for entry in turn.values())
    return gettext("The turn that you had kept was played: {turn} (Auto).").format(turn=actions), latest


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
    return moment_in_words(at, guest.time_zone if guest else "UTC")


def challenge_block(row: Seek, reader: Guest) -> Block:
    """What somebody is challenged to, with whom, and what the challenger says."""
    seek = find_seek(row.code)
    card, others = SeekCard(seek), [each.guest for each in seek.invitees if each.guest_id != reader.pk]
    rated = gettext("counts for ratings") if row.is_rated else gettext("doesn’t count for ratings")
    terms = {
        gettext("Game"): ", ".join([card.title, card.board, *card.terms()]),
        gettext("Clock"): clock_label(seek.terms.control),
        gettext("Result"): rated,
        gettext("Players"): ", ".join([gettext("you"), str(row.owner), *map(str, others)]),
        gettext("Answer until"): _moment(row.due_at, reader),
        gettext("Code"): row.code,
    }
    lines = [line for name, words in terms.items() for line in wrapped(f"{name}: {words}")]
    remark = "" if is_off(reader) else row.remark
    block = block_of_lines(lines, html_paragraph("\n".join(lines)))
    return joined([block, remark_block(str(row.owner), remark, translate)]) if remark else block
