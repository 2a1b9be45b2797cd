"""Mails to who plays by mail: their turn with the board, offers, ends, challenges; to watchers every turn.

Such a mail names its cause, and is made when it is sent: what is no longer true then is not mailed. Its
secret address makes a move of an answer.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext

from kakomi.protocol.mail.printing import Block, board_block, board_subject, remark_block, sentence_block
from kakomi.server import clock
from kakomi.server.chat.selectors import is_off
from kakomi.server.database import writing
from kakomi.server.language import translate
from kakomi.server.lobby.models import Seek
from kakomi.server.notices.addresses import MAILABLE, mail_address
from kakomi.server.notices.digests import PLAYED_BY_MAIL
from kakomi.server.notices.kinds import TURN
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.outbox import post
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.rhythm import after_quiet
from kakomi.server.post.models import Subscription
from kakomi.server.post.outgoing import outgoing_mail
from kakomi.server.post.reply_addresses import Purpose, Token
from kakomi.server.post.reports import board_report
from kakomi.server.tables import models, selectors
from kakomi.session import Entry
from kakomi.session.events import QUIET

WAIT = 20.0
"""Seconds until it is mailed: who sits at the table has acted by then."""
MOST = 200
"""Notices that are seen to at a time."""
TURN_MAIL, WATCH_MAIL = "turn", "watch"
"""By these names in its content the outbox knows who makes a mail."""
BESIDE = "beside"
"""So its content names what else a mail tells, in case what it is named for is no longer true."""


def to_be_written(now: float) -> "QuerySet[Notice]":
    """The notices that become mails of their own."""
    told = Notice.objects.filter(MAILABLE, PLAYED_BY_MAIL, read_at=None, mailed_at=None)
    return told.exclude(guest__mailing__pace="off").filter(at__lte=now - WAIT)


def write_turn_mails() -> None:
    """Write the mails that are due, each once."""
    due = to_be_written(clock.now()).order_by("at").values_list("pk", flat=True)
    for number in list(due[:MOST]):
        with writing():
            notice = to_be_written(clock.now()).select_for_update(of=("self",)).filter(pk=number).first()
            if notice is not None:
                _write(notice)


def _write(notice: Notice) -> None:
    """Write one mail of all that is told of a table: what happened goes before the turn."""
    now, told = clock.now(), [notice]
    if notice.table_id is not None:
        beside = to_be_written(now).filter(guest=notice.guest_id, table=notice.table_id)
        told = sorted(beside, key=lambda each: (each.kind == TURN, -each.at, each.pk))
    Notice.objects.filter(pk__in=[each.pk for each in told]).update(mailed_at=now)
    first, *others = told
    mailing = Mailing.objects.get(guest=first.guest_id)
    key = f"{TURN_MAIL}.{first.key}.{first.guest_id}.{first.occurrence}"
    content = {TURN_MAIL: _named(first), BESIDE: [_named(each) for each in others]}
    post("mail", key, content, guest=first.guest_id, due_at=after_quiet(mailing, now))


def _named(notice: Notice) -> list[int]:
    return [notice.pk, notice.occurrence]


def turn_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of the first of its notices that is still true; None if none is."""
    named = [delivery.content[TURN_MAIL], *delivery.content.get(BESIDE, ())]
    found = (_still_true(delivery, number, occurrence) for number, occurrence in named)
    notice = next(filter(None, found), None)
    mailing = Mailing.objects.filter(guest=delivery.guest_id).exclude(pace="off").first()
    address = mail_address(delivery.guest_id) if delivery.guest_id else ""
    if notice is None or mailing is None or not address:
        return None
    with translation.override(mailing.language):
        return _about_table(notice, address) if notice.table else _about_challenge(notice, address)


def _still_true(delivery: Delivery, number: int, occurrence: int) -> Notice | None:
    told = Notice.objects.filter(pk=number, occurrence=occurrence, guest=delivery.guest_id, read_at=None)
    notice = told.select_related("table", "guest", "about").prefetch_related("table__seats__guest").first()
    if notice and notice.kind == "offer" and notice.table and selectors.table_of(notice.table).offer is None:
        return None
    return notice


def _about_table(notice: Notice, address: str) -> dict[str, Any]:
    row = notice.table
    assert row is not None
    note = "" if notice.kind == TURN else NoticeView(notice).words
    report = board_report(row, notice.guest, note=note)
    return outgoing_mail(
        address,
        notice.guest,
        board_subject(report, translate),
        [board_block(report, translate)],
        reply=Token.new(Purpose.TABLE, notice.guest.pk, row.pk, row.entries),
        thread=row.pk,
    )


def _about_challenge(notice: Notice, address: str) -> dict[str, Any]:
    code = (notice.data or {}).get("code", "")
    words = NoticeView(notice).words
    said = gettext("Answer with accept {code}, or with reject {code}.").format(code=code)
    blocks: list[Block] = [sentence_block(words, *([said] if code else ()), say=translate)]
    remark = Seek.objects.filter(code=code).values_list("remark", flat=True).first()
    if remark and notice.about and not is_off(notice.guest):
        blocks.append(remark_block(str(notice.about), remark, translate))
    reply = Token.new(Purpose.ACCOUNT, notice.guest.pk)
    return outgoing_mail(address, notice.guest, words, blocks, reply=reply)


def hear_of_entries(row: models.Table, entries: Sequence[Entry], **_: object) -> None:
    """Something is done at a table: those who watch it by mail are mailed it."""
    if all(entry.kind in QUIET for entry in entries):
        return
    for kept in Subscription.objects.filter(table=row):
        key = f"{WATCH_MAIL}.{kept.pk}.{row.entries}"
        post("mail", key, {WATCH_MAIL: [kept.pk, row.entries]}, guest=kept.guest_id)


def watch_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of a table to who watches it; None if there is a later one, or nobody wants it any more."""
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
