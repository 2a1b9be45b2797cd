"""Mails that say what somebody was told, and whose turn it still is: written in time, never twice.

A digest names notices. Which of them are still true is looked up once more when it is sent, in its reader's
language.
"""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.db.models import Min, Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext

from kakomi.server import clock
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.notices.kinds import BY_MAIL, PRESSING, TURN, URGENT
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.outbox import post
from kakomi.server.notices.preferences import MAILABLE, PACES, mail_address, mail_moment, wanted_kinds
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.services import is_pressing, notify
from kakomi.server.tables.selectors import table_of

LEAST_WAIT = PACES["now"][1]
"""Seconds in which somebody who is there acts by themselves: only what is urgent is mailed earlier."""
MOST_REFUSALS = 5
"""So many refusals in succession, and somebody is mailed no more; the page says so."""
MOST = 200
"""Guests that are looked after at a time."""
PLAYED_BY_MAIL = Q(
    Q(table=None) | ~Q(table__pace="live"), kind__in=BY_MAIL, guest__mailing__plays_by_mail=True
)
"""Of notices: those that become mails of their own for who plays by mail, where the site takes mail."""


def to_be_mailed(now: float) -> "QuerySet[Notice]":
    """The notices for which it is time that somebody looks whether they are mailed."""
    unread = _undigested(Notice.objects.filter(MAILABLE, read_at=None, mailed_at=None))
    is_time = Q(guest__mailing=None) | Q(guest__mailing__next_at__lte=now)
    return unread.filter(Q(is_time, at__lte=now - LEAST_WAIT) | Q(kind__in=URGENT))


def _undigested(notices: "QuerySet[Notice]") -> "QuerySet[Notice]":
    """Notices without those that become mails of their own."""
    if not configuration().post_address:
        return notices
    return notices.exclude(pk__in=Notice.objects.filter(PLAYED_BY_MAIL, mailed_at=None).values("pk"))


def write_digests() -> None:
    """Write the digests that are due."""
    longest = to_be_mailed(clock.now()).values("guest").annotate(first=Min("at")).order_by("first")
    for guest in list(longest.values_list("guest", flat=True)[:MOST]):
        write_digest(guest)


def write_digest(guest: int) -> None:
    """Write a guest's digest if it is due, or note when it will be."""
    wanted = wanted_kinds(guest, "mail")
    with writing():
        Mailing.objects.get_or_create(guest_id=guest)
        mailing = Mailing.objects.select_for_update().get(guest=guest)
        now = clock.now()
        unmailed = Notice.objects.filter(guest=guest, read_at=None, mailed_at=None)
        if mailing.pace == "off" or not mail_address(guest):
            unmailed.update(mailed_at=now)
            return
        unmailed = _undigested(unmailed)
        told = list(unmailed.order_by("at", "pk"))
        unmailed.exclude(kind__in=wanted).update(mailed_at=now)
        chosen = [notice for notice in told if notice.kind in wanted]
        if not chosen:
            return
        is_urgent = any(notice.kind in URGENT for notice in chosen)
        moment = now if is_urgent else mail_moment(mailing, chosen[0].at)
        if moment > now:
            mailing.next_at = moment
            mailing.save(update_fields=["next_at"])
            return
        _write(mailing, chosen, now)


def _write(mailing: Mailing, chosen: list[Notice], now: float) -> None:
    """Write a digest, in the transaction that notes it."""
    mailing.written, mailing.written_at, mailing.next_at = mailing.written + 1, now, now
    mailing.save(update_fields=["written", "written_at", "next_at"])
    Notice.objects.filter(pk__in=[notice.pk for notice in chosen]).update(mailed_at=now)
    named = [[notice.pk, notice.occurrence] for notice in chosen]
    key = f"digest.{mailing.guest_id}.{mailing.written}"
    post("mail", key, {"digest": named}, guest=mailing.guest_id)


def note_refusal(guest: int | None, why: str) -> None:
    """Note that a guest's mail server will not take their mail. After some times it is mailed no more."""
    with writing():
        mailing = Mailing.objects.select_for_update().get(guest=guest)
        mailing.refusals += 1
        mailing.save(update_fields=["refusals"])
        if mailing.refusals >= MOST_REFUSALS:
            stop_mail(mailing, why, mailing.refusals)


def stop_mail(mailing: Mailing, why: str, count: int) -> None:
    """Mail no more to somebody whom no mail reaches, and tell them on the page. In a transaction."""
    mailing.pace, mailing.plays_by_mail = "off", False
    mailing.save(update_fields=["pace", "plays_by_mail"])
    data = {"label": "Mail", "count": count, "reason": why}
    notify(mailing.guest_id, "endpoint_off", f"mail.{mailing.written}", data)


WIDTH = 72
"""Characters of a line of plain text."""
BOARDS = 4
"""Boards in one mail."""
SALT = "notices.off"


class Reply(NamedTuple):
    """How a digest is answered, where the site takes mail."""

    above: str
    """The line above which answers are read."""
    said: str
    """How to answer, in sentences."""
    content: dict[str, Any]
    """What the outbox keeps of its sender."""
    headers: dict[str, str]


def digest_content(
    delivery: Delivery, reply_to: Callable[[int, Sequence[NoticeView]], Reply | None] = lambda *_: None
) -> dict[str, Any] | None:
    """The mail of a digest, as the outbox keeps mails; None if nothing of it is true any more."""
    guest = delivery.guest_id
    address = mail_address(guest) if guest else ""
    mailing = Mailing.objects.filter(guest=guest).first()
    if guest is None or not address or mailing is None or mailing.pace == "off":
        return None
    notices = _still_true(delivery)
    if not notices:
        return None
    with translation.override(mailing.language):
        told = [NoticeView(notice) for notice in notices]
        return _content(guest, address, told, reply_to(guest, told))


def _still_true(delivery: Delivery) -> list[Notice]:
    occurrences = dict(delivery.content["digest"])
    found = Notice.objects.filter(pk__in=occurrences, guest=delivery.guest_id, read_at=None)
    notices = (
        found.select_related("table", "about").prefetch_related("table__seats__guest").order_by("at", "pk")
    )
    return [
        notice
        for notice in notices
        if notice.occurrence == occurrences[notice.pk]
        and (notice.kind not in PRESSING or is_pressing(notice))
    ]


def _content(guest: int, address: str, told: Sequence[NoticeView], reply: Reply | None) -> dict[str, Any]:
    turns = [view for view in told if view.notice.kind == TURN]
    site = configuration().address
    off = site + reverse("notices_off", args=[unsubscribe_token(guest, address)])
    shown = _last_of_tables(told)[:BOARDS]
    items = [
        {
            "words": view.event,
            "deadline": view.deadline,
            "address": site + view.address,
            "board": board_text(view.notice) if view in shown else "",
        }
        for view in told
    ]
    values = {
        "items": items,
        "reply": reply,
        "wishes": site + reverse("notice_wishes"),
        "off": off,
        "subject": _subject(told, len(turns)),
        "name": configuration().site_name,
    }
    return {
        "to": address,
        "from": settings.DEFAULT_FROM_EMAIL,
        **(reply.content if reply else {}),
        "subject": values["subject"],
        "text": _wrapped(render_to_string("notices/digest.txt", values)),
        "html": render_to_string("notices/digest.html", values),
        "headers": {
            "List-Unsubscribe": f"<{off}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "List-Id": f"Kakomi <notices.{urlsplit(site).hostname}>",
            "Auto-Submitted": "auto-generated",
            **(reply.headers if reply else {}),
        },
    }


def _last_of_tables(told: Sequence[NoticeView]) -> list[NoticeView]:
    """The last that is told of each table."""
    return list({view.notice.table_id: view for view in told}.values())


def _subject(told: Sequence[NoticeView], turns: int) -> str:
    """What it is about, on one line."""
    if len(told) == 1:
        return told[0].event
    if turns == len(told):
        return ngettext(
            "It is still your turn at {count} game", "It is still your turn at {count} games", turns
        ).format(count=turns)
    return ngettext(
        "{count} piece of news of your games", "{count} pieces of news of your games", len(told)
    ).format(count=len(told))


def board_text(notice: Notice) -> str:
    """The board of a notice's table in plain text; empty for one that is too wide for a mail."""
    if notice.table is None:
        return ""
    lines = table_of(notice.table).match.position.text().rstrip().splitlines()
    return "\n".join(lines) if max(map(len, lines)) <= WIDTH - 4 else ""


def _wrapped(text: str) -> str:
    """Plain text with lines of 72 characters; addresses and boards, which are indented, stay as they are."""
    lines = [
        [line] if line.startswith((" ", "--")) or "://" in line else textwrap.wrap(line, WIDTH) or [""]
        for line in text.strip().splitlines()
    ]
    return "\n".join(part for wrapped in lines for part in wrapped) + "\n"


def unsubscribe_token(guest: int, address: str) -> str:
    """What ends a link that stops the mail to an address, signed in or not."""
    return signing.dumps([guest, address], salt=SALT, compress=True)


def unsubscribing(token: str) -> tuple[int, str] | None:
    """Whose mail a link stops, and to which address; None for one that the site did not make."""
    try:
        guest, address = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return guest, address
