"""Mails to people who play by mail, about turns, boards and challenges, and to watchers."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, gettext, gettext_lazy

from kakomi.protocol.mail.printing import (
    Block,
    BoardReport,
    SeatLine,
    board_block,
    board_subject,
    joined,
    print_mail,
    remark_block,
    reply_line,
    sentence_block,
)
from kakomi.protocol.mail.printing.blocks import block_of_lines, html_paragraph, wrapped
from kakomi.protocol.mail.reading import OWN_MARK
from kakomi.protocol.mail.reading.new_text import MARK
from kakomi.server.accounts.models import Guest
from kakomi.server.chat.selectors import is_off
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.lobby.selectors import find_seek
from kakomi.server.mail.models import Subscription
from kakomi.server.mail.pending import queued_turn_of
from kakomi.server.mail.remarks import unanswered_remarks
from kakomi.server.mail.reply_addresses import Purpose, Token, bounce_address, reply_address
from kakomi.server.notices.digests import PLAYED_BY_MAIL, Reply, digest_content, unsubscribe_token
from kakomi.server.notices.kinds import PRESSING, TURN, URGENT
from kakomi.server.notices.mail import message_id
from kakomi.server.notices.mail_pictures import can_draw
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.outbox import enqueue
from kakomi.server.notices.preferences import MAILABLE, after_quiet, mail_address, wanted_kinds
from kakomi.server.notices.presenters import NoticeView, moment_in_words
from kakomi.server.notices.services import is_pressing
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.site.database import writing
from kakomi.server.site.language import translate
from kakomi.server.tables import models, selectors, wording
from kakomi.server.tables.clock_texts import clock_face, clock_label
from kakomi.server.tables.deadlines import as_of
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.seats import SeatView, seat_views
from kakomi.server.tables.wording import public_names
from kakomi.session import Entry, Table
from kakomi.session.events import NON_BLOCKING_KINDS

MOST_REFERENCES = 10


def outgoing_mail(
    address: str,
    guest: Guest | None,
    subject: str,
    blocks: Sequence[Block],
    *,
    reply: Token | None = None,
    thread: int | None = None,
    answers: Sequence[str] = (),
) -> dict[str, Any]:
    """A mail in the outbox's format.

    `reply` becomes the secret reply address; `thread` is the primary key of the table that the mail is about;
    `answers` are the message ids of the mail it answers and of earlier ones, latest first.
    """
    site = configuration()
    off = site.address + reverse("notices_off", args=[unsubscribe_token(guest.pk, address)]) if guest else ""
    above = reply_line(translate) if reply else ""
    language = get_language() or "en"
    printed = print_mail(subject, blocks, footer=_footer(off), language=language, above=above)
    return {
        "to": address,
        "from": f"{site.site_name} <{site.mail_in_address}>",
        "envelope": bounce_address(guest.pk) if guest else site.mail_in_bounces,
        "subject": printed.subject,
        "text": printed.text,
        "html": printed.html,
        "pictures": [[picture.cid, picture.svg] for picture in printed.pictures],
        "headers": {
            "Auto-Submitted": "auto-replied" if answers else "auto-generated",
            OWN_MARK: "1",
            "Reply-To": reply_address(reply) if reply else site.mail_in_address,
            **_thread_headers(guest, thread, answers),
            **(_unsubscribe_headers(off) if off else {}),
        },
    }


def _footer(off: str) -> str:
    said = gettext("Reply with the word “help” for a list of commands.")
    return f"{said} {gettext('Unsubscribe from game emails: {link}').format(link=off)}" if off else said


def _thread_headers(guest: Guest | None, thread: int | None, answers: Sequence[str]) -> dict[str, str]:
    """Threading headers. All mails to a person about a table refer to the same first mail, as a thread."""
    first = [message_id(f"post.thread.{thread}.{guest.pk}")] if thread and guest else []
    references = [*first, *(number for number in reversed(answers[:MOST_REFERENCES]) if number not in first)]
    if not references:
        return {}
    return {"In-Reply-To": answers[0] if answers else first[0], "References": " ".join(references)}


def _unsubscribe_headers(off: str) -> dict[str, str]:
    return {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": f"Kakomi <games.{urlsplit(configuration().address).hostname}>",
    }


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
    """A table's current state in the active language; `note` is in that language too."""
    table, viewer = selectors.table_of(row), Viewer.of(row, guest)
    now = clock.now()
    places = seat_views(row, table, viewer, now)
    seat = _seat(table, viewer)
    queued, dropped = _queued(table, viewer, seat)
    notes = [note, dropped, *_latest_events(row, table, seat, places, now)]
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
        note=" ".join(filter(None, notes)),
        rounds=rounds,
        can_reply=can_reply and viewer.is_player,
        has_picture=can_draw(),
    )


def _seat(table: Table, viewer: Viewer) -> int | None:
    """The viewer's seat: the one to act if they have several; None if they have none."""
    return table.to_act if table.to_act in viewer.own else next(iter(viewer.own), None)


def _line(table: Table, place: SeatView, name: str) -> SeatLine:
    """A seat's line, with its remaining time unless the time starts afresh with each turn."""
    is_kept = table.clock is not None and table.clock.time.kind != "days"
    clock_words = clock_face(place.seconds) if is_kept and place.seconds is not None else ""
    return SeatLine(name, place.note, clock_words)


def _latest_events(
    row: models.Table, table: Table, seat: int | None, places: tuple[SeatView, ...], now: float
) -> tuple[str, ...]:
    """The latest event, preceded by a note if a queued turn of the reader's was played."""
    plays = [(number, entry) for number, entry in enumerate(table.history, 1) if entry.kind == "play"]
    last = {number: entry for number, entry in plays if entry.at == plays[-1][1].at}
    own = [(number, entry) for number, entry in plays if entry.seat == seat]
    turn = {number: entry for number, entry in own if entry.at == own[-1][1].at}
    kept = row.log.filter(number__in=[*last, *turn], key__startswith="queued:").values_list(
        "number", flat=True
    )
    seats = {entry.seat for number, entry in last.items() if number in kept and entry.seat is not None}
    latest = wording.last_action_sentence(as_of(table, now), places, seats)
    if seat in seats or not any(number in kept for number in turn):
        return (latest,)
    actions = " ".join(str(entry.value) for entry in turn.values())
    return gettext("Your queued move was played: {turn} (Auto).").format(turn=actions), latest


def _queued(table: Table, viewer: Viewer, seat: int | None) -> tuple[str, str]:
    """The reader's queued turn, and why one was just dropped; either may be empty."""
    queued = None if seat is None else queued_turn_of(viewer.seats[seat])
    if queued is None:
        return "", ""
    if queued.dropped_at is None:
        return queued.text, ""
    if not table.has_seen(queued.dropped_at):
        return "", ""
    said = gettext("Your queued move {turn} couldn’t be played: {reason}.")
    return "", said.format(turn=queued.text, reason=queued.reason.rstrip("."))


def _rating_changes(row: models.Table, places: tuple[SeatView, ...]) -> tuple[str, ...]:
    if not (row.is_over and row.is_rated):
        return ()
    return tuple(f"{place.name}: {place.note}" for place in places if "(" in place.note)


def _moment(at: float, guest: Guest | None) -> str:
    """A time in the guest's time zone, in words."""
    return moment_in_words(at, guest.time_zone if guest else "UTC")


def challenge_block(row: Seek, reader: Guest) -> Block:
    """A challenge's terms, players and remark."""
    seek = find_seek(row.code)
    card, others = SeekCard(seek), [each.guest for each in seek.invitees if each.guest_id != reader.pk]
    rated = gettext("rated") if row.is_rated else gettext("casual")
    terms = {
        gettext("Game"): ", ".join([card.title, card.board, *card.terms()]),
        gettext("Time control"): clock_label(seek.terms.control),
        gettext("Mode"): rated,
        gettext("Players"): ", ".join([gettext("you"), str(row.owner), *map(str, others)]),
        gettext("Answer by"): _moment(row.due_at, reader),
        gettext("Code"): row.code,
    }
    lines = [line for name, words in terms.items() for line in wrapped(f"{name}: {words}")]
    remark = "" if is_off(reader) else row.remark
    block = block_of_lines(lines, html_paragraph("\n".join(lines)))
    return joined([block, remark_block(str(row.owner), remark, translate)]) if remark else block


WAIT = 20.0
"""Seconds before a notice is mailed; a player who is at the table has acted by then."""
MOST = 200
"""Notices handled per run."""
TURN_MAIL, WATCH_MAIL = "turn", "watch"
"""Keys of a delivery's content that tell the outbox which composer makes the mail."""
OTHERS = "beside"
"""The content key of the mail's further notices, in case the first one has become outdated."""

_TO_A_CHALLENGE = gettext_lazy("Reply with “accept” or “reject”. In a separate email, add the code.")


def notices_to_mail(now: float) -> "QuerySet[Notice]":
    """The notices that are due to be mailed singly."""
    notices = Notice.objects.filter(MAILABLE, PLAYED_BY_MAIL, read_at=None, mailed_at=None)
    return notices.exclude(guest__mailing__pace="off").filter(at__lte=now - WAIT)


def write_turn_mails() -> None:
    """Queue the mails that are due, each exactly once."""
    due = notices_to_mail(clock.now()).order_by("at").values_list("pk", flat=True)
    for number in list(due[:MOST]):
        with writing():
            notice = notices_to_mail(clock.now()).select_for_update(of=("self",)).filter(pk=number).first()
            if notice is not None:
                _write(notice)


def _write(notice: Notice) -> None:
    """Queue one mail with all due notices about a table, events before the turn."""
    now, notices = clock.now(), [notice]
    if notice.table_id is not None:
        beside = notices_to_mail(now).filter(guest=notice.guest_id, table=notice.table_id)
        notices = sorted(beside, key=lambda each: (each.kind == TURN, -each.at, each.pk))
    Notice.objects.filter(pk__in=[each.pk for each in notices]).update(mailed_at=now)
    wanted = wanted_kinds(notice.guest_id, "mail")
    notices = [each for each in notices if each.kind == TURN or each.kind in wanted]
    if not notices:
        return
    first, *others = notices
    mailing = Mailing.objects.get(guest=first.guest_id)
    key = f"{TURN_MAIL}.{first.key}.{first.guest_id}.{first.occurrence}"
    content = {TURN_MAIL: _reference(first), OTHERS: [_reference(each) for each in others]}
    is_urgent = any(each.kind in URGENT for each in notices)
    due_at = now if is_urgent else after_quiet(mailing, now)
    enqueue("mail", key, content, guest=first.guest_id, due_at=due_at)


def _reference(notice: Notice) -> list[int]:
    return [notice.pk, notice.occurrence]


def turn_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of a delivery's notices that still hold; None if none does."""
    named = [delivery.content[TURN_MAIL], *delivery.content.get(OTHERS, ())]
    found = [_valid_notice(delivery, number, occurrence) for number, occurrence in named]
    notices = [notice for notice in found if notice is not None]
    mailing = Mailing.objects.filter(guest=delivery.guest_id).exclude(pace="off").first()
    address = mail_address(delivery.guest_id) if delivery.guest_id else ""
    if not notices or mailing is None or not address:
        return None
    with translation.override(mailing.language):
        return _table_mail(notices, address) if notices[0].table else _other_mail(notices[0], address)


def _valid_notice(delivery: Delivery, number: int, occurrence: int) -> Notice | None:
    found = Notice.objects.filter(pk=number, occurrence=occurrence, guest=delivery.guest_id, read_at=None)
    notice = found.select_related("table", "guest", "about").prefetch_related("table__seats__guest").first()
    if notice and notice.kind == "offer" and notice.table and selectors.table_of(notice.table).offer is None:
        return None
    if notice and notice.kind in PRESSING and not is_pressing(notice):
        return None
    if notice and notice.kind == "challenge" and _challenge_of(notice) is None:
        return None
    return notice


def _challenge_of(notice: Notice) -> Seek | None:
    """The notice's challenge, if it still waits for the guest's answer."""
    waiting = Seek.objects.filter(code=(notice.data or {}).get("code", ""), ended_at=None)
    return waiting.filter(invitees__guest=notice.guest_id, invitees__answer="").first()


def _table_mail(notices: Sequence[Notice], address: str) -> dict[str, Any]:
    notice, row = notices[0], notices[0].table
    assert row is not None
    events = [
        NoticeView(each).event for each in sorted(notices, key=lambda each: each.at) if each.kind != TURN
    ]
    report = board_report(row, notice.guest, note=" ".join(events))
    subject = board_subject(report, translate)
    if any(each.kind in PRESSING for each in notices):
        subject = gettext("Reminder: {subject}").format(subject=subject)
    return outgoing_mail(
        address,
        notice.guest,
        subject,
        [board_block(report, translate)],
        reply=Token.new(Purpose.TABLE, notice.guest.pk, row.pk, row.entries),
        thread=row.pk,
    )


def _other_mail(notice: Notice, address: str) -> dict[str, Any]:
    words, seek = NoticeView(notice).words, _challenge_of(notice)
    blocks = [sentence_block(words, say=translate)]
    if seek is not None:
        blocks += [challenge_block(seek, notice.guest), sentence_block(str(_TO_A_CHALLENGE))]
    reply = Token.new(Purpose.ACCOUNT, notice.guest.pk, seek.pk if seek else 0)
    return outgoing_mail(address, notice.guest, words, blocks, reply=reply)


def digest_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of a digest, with a reply address if the site takes mail."""
    site = configuration()
    return digest_content(delivery, _reply_to) if site.mail_in_address else digest_content(delivery)


def _reply_to(guest: int, views: Sequence[NoticeView]) -> Reply | None:
    """How to answer a digest; None if it is about no game or challenge."""
    rows = {view.notice.table.pk: view.notice.table for view in views if view.notice.table}
    challenges = [seek for view in views if (seek := _challenge_of(view.notice))]
    about: list[models.Table | Seek] = [*rows.values(), *challenges]
    match about:
        case []:
            return None
        case [Seek() as seek]:
            instructions, token = str(_TO_A_CHALLENGE), Token.new(Purpose.ACCOUNT, guest, seek.pk)
        case [models.Table() as row]:
            instructions = gettext("Reply with your whole move when it’s your turn, or with a chat message.")
            token = Token.new(Purpose.TABLE, guest, row.pk, row.entries)
        case _:
            instructions = gettext(
                "Reply with “move”, the code at the end of the board’s address, and your move; to a "
                "challenge, with “accept” or “reject” and its code."
            )
            token = Token.new(Purpose.ACCOUNT, guest)
    site = configuration()
    instructions = "\n\n".join(
        [*(challenge_block(each, views[0].notice.guest).text for each in challenges), instructions]
    )
    content = {"from": f"{site.site_name} <{site.mail_in_address}>", "envelope": bounce_address(guest)}
    above = f"{MARK} {reply_line(translate)} {MARK}"
    return Reply(above, instructions, content, {"Reply-To": reply_address(token), OWN_MARK: "1"})


def on_entries_added(row: models.Table, entries: Sequence[Entry], **_: object) -> None:
    """Mail new log entries of a table to its subscribers."""
    if all(entry.kind in NON_BLOCKING_KINDS for entry in entries):
        return
    for kept in Subscription.objects.filter(table=row):
        key = f"{WATCH_MAIL}.{kept.pk}.{row.entries}"
        enqueue("mail", key, {WATCH_MAIL: [kept.pk, row.entries]}, guest=kept.guest_id)


def watch_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail to a subscriber; None if the table has moved on or the subscriber wants no more mail."""
    number, entries = delivery.content[WATCH_MAIL]
    kept = Subscription.objects.filter(pk=number).select_related("table", "guest").first()
    address = mail_address(kept.guest) if kept else ""
    mailing = Mailing.objects.filter(guest=delivery.guest_id).first() or Mailing()
    if kept is None or kept.table.entries != entries or not address or mailing.pace == "off":
        return None
    with translation.override(mailing.language):
        report = board_report(kept.table, kept.guest, can_reply=False)
        blocks = [board_block(report, translate)]
        subject = board_subject(report, translate)
        reply = Token.new(Purpose.TABLE, kept.guest.pk, kept.table.pk, entries)
        return outgoing_mail(address, kept.guest, subject, blocks, reply=reply, thread=kept.table.pk)
