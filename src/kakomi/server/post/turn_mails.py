"""Mails about games to who plays by mail, each with its board or its challenge; to watchers every turn.

Such a mail names its cause, and is made when it is sent: what is no longer true then is not mailed. Its
secret address makes a move of an answer, as that of a digest does.
"""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from kakomi.protocol.mail.printing import board_block, board_subject, reply_line, sentence_block
from kakomi.protocol.mail.reading import OWN_MARK
from kakomi.protocol.mail.reading.new_text import MARK
from kakomi.server import clock
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.language import translate
from kakomi.server.lobby.models import Seek
from kakomi.server.notices.addresses import MAILABLE, mail_address
from kakomi.server.notices.digest_mail import Reply, digest_content
from kakomi.server.notices.digests import PLAYED_BY_MAIL
from kakomi.server.notices.kinds import PRESSING, TURN, URGENT
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.outbox import post
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.rhythm import after_quiet
from kakomi.server.notices.turns import is_pressing
from kakomi.server.notices.wishes import wanted_kinds
from kakomi.server.post.models import Subscription
from kakomi.server.post.outgoing import outgoing_mail
from kakomi.server.post.reply_addresses import Purpose, Token, bounce_address, reply_address
from kakomi.server.post.reports import board_report, challenge_block
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

_TO_A_CHALLENGE = gettext_lazy(
    "Answer this mail with accept or with reject. In another mail, write the code behind it."
)


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
    wanted = wanted_kinds(notice.guest_id, "mail")
    told = [each for each in told if each.kind == TURN or each.kind in wanted]
    if not told:
        return
    first, *others = told
    mailing = Mailing.objects.get(guest=first.guest_id)
    key = f"{TURN_MAIL}.{first.key}.{first.guest_id}.{first.occurrence}"
    content = {TURN_MAIL: _named(first), BESIDE: [_named(each) for each in others]}
    is_urgent = any(each.kind in URGENT for each in told)
    due_at = now if is_urgent else after_quiet(mailing, now)
    post("mail", key, content, guest=first.guest_id, due_at=due_at)


def _named(notice: Notice) -> list[int]:
    return [notice.pk, notice.occurrence]


def turn_mail(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of those of its notices that are still true; None if none is."""
    named = [delivery.content[TURN_MAIL], *delivery.content.get(BESIDE, ())]
    found = [_still_true(delivery, number, occurrence) for number, occurrence in named]
    told = [notice for notice in found if notice is not None]
    mailing = Mailing.objects.filter(guest=delivery.guest_id).exclude(pace="off").first()
    address = mail_address(delivery.guest_id) if delivery.guest_id else ""
    if not told or mailing is None or not address:
        return None
    with translation.override(mailing.language):
        return _about_table(told, address) if told[0].table else _about_no_table(told[0], address)


def _still_true(delivery: Delivery, number: int, occurrence: int) -> Notice | None:
    told = Notice.objects.filter(pk=number, occurrence=occurrence, guest=delivery.guest_id, read_at=None)
    notice = told.select_related("table", "guest", "about").prefetch_related("table__seats__guest").first()
    if notice and notice.kind == "offer" and notice.table and selectors.table_of(notice.table).offer is None:
        return None
    if notice and notice.kind in PRESSING and not is_pressing(notice):
        return None
    if notice and notice.kind == "challenge" and _challenge_of(notice) is None:
        return None
    return notice


def _challenge_of(notice: Notice) -> Seek | None:
    """The challenge of a notice that waits for the answer of its guest."""
    waiting = Seek.objects.filter(code=(notice.data or {}).get("code", ""), ended_at=None)
    return waiting.filter(invitees__guest=notice.guest_id, invitees__answer="").first()


def _about_table(told: Sequence[Notice], address: str) -> dict[str, Any]:
    notice, row = told[0], told[0].table
    assert row is not None
    events = [NoticeView(each).event for each in sorted(told, key=lambda each: each.at) if each.kind != TURN]
    report = board_report(row, notice.guest, note=" ".join(events))
    subject = board_subject(report, translate)
    if any(each.kind in PRESSING for each in told):
        subject = gettext("Reminder: {subject}").format(subject=subject)
    return outgoing_mail(
        address,
        notice.guest,
        subject,
        [board_block(report, translate)],
        reply=Token.new(Purpose.TABLE, notice.guest.pk, row.pk, row.entries),
        thread=row.pk,
    )


def _about_no_table(notice: Notice, address: str) -> dict[str, Any]:
    words, seek = NoticeView(notice).words, _challenge_of(notice)
    blocks = [sentence_block(words, say=translate)]
    if seek is not None:
        blocks += [challenge_block(seek, notice.guest), sentence_block(str(_TO_A_CHALLENGE))]
    reply = Token.new(Purpose.ACCOUNT, notice.guest.pk, seek.pk if seek else 0)
    return outgoing_mail(address, notice.guest, words, blocks, reply=reply)


def answered_digest(delivery: Delivery) -> dict[str, Any] | None:
    """The mail of a digest, which is answered like a mail of one board where it is about one."""
    site = configuration()
    return digest_content(delivery, _reply_to) if site.post_address else digest_content(delivery)


def _reply_to(guest: int, told: Sequence[NoticeView]) -> Reply | None:
    """How a digest is answered; None for one that is about no game."""
    rows = {view.notice.table.pk: view.notice.table for view in told if view.notice.table}
    challenges = [seek for view in told if (seek := _challenge_of(view.notice))]
    about: list[models.Table | Seek] = [*rows.values(), *challenges]
    match about:
        case []:
            return None
        case [Seek() as seek]:
            said, token = str(_TO_A_CHALLENGE), Token.new(Purpose.ACCOUNT, guest, seek.pk)
        case [models.Table() as row]:
            said = gettext(
                "Answer this mail with your whole turn when it is yours, or to say something to the others."
            )
            token = Token.new(Purpose.TABLE, guest, row.pk, row.entries)
        case _:
            said = gettext(
                "Answer with move, the code at the end of a board’s address, and your turn; to a challenge,"
                " with accept or reject and its code."
            )
            token = Token.new(Purpose.ACCOUNT, guest)
    site = configuration()
    said = "\n\n".join([*(challenge_block(each, told[0].notice.guest).text for each in challenges), said])
    content = {"from": f"{site.site_name} <{site.post_address}>", "envelope": bounce_address(guest)}
    above = f"{MARK} {reply_line(translate)} {MARK}"
    return Reply(above, said, content, {"Reply-To": reply_address(token), OWN_MARK: "1"})


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
