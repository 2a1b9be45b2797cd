"""Digests: mails that summarize a person's unread notices. Each notice is mailed at most once.

A digest stores references to notices. Sending it checks again which of them still hold, and renders those in
the reader's language.
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

from kakomi.server.notices.kinds import BY_MAIL, PRESSING, TURN, URGENT
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.outbox import enqueue
from kakomi.server.notices.preferences import MAILABLE, PACES, mail_address, mail_moment, wanted_kinds
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.services import is_pressing, notify
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.site.database import writing
from kakomi.server.tables.selectors import table_of

LEAST_WAIT = PACES["now"][1]
"""Seconds in which a person who is present would have acted. Only urgent notices are mailed earlier."""
MOST_REFUSALS = 5
"""After this many successive refusals a person gets no more mail; a notice on the page says so."""
MOST = 200
"""Guests handled per run."""
PLAYED_BY_MAIL = Q(
    Q(table=None) | ~Q(table__pace="live"), kind__in=BY_MAIL, guest__mailing__plays_by_mail=True
)
"""Filters notices to those mailed singly to people who play by mail, if the site takes mail."""


def to_be_mailed(now: float) -> "QuerySet[Notice]":
    """The notices that may be due to be mailed."""
    unread = _undigested(Notice.objects.filter(MAILABLE, read_at=None, mailed_at=None))
    is_time = Q(guest__mailing=None) | Q(guest__mailing__next_at__lte=now)
    return unread.filter(Q(is_time, at__lte=now - LEAST_WAIT) | Q(kind__in=URGENT))


def _undigested(notices: "QuerySet[Notice]") -> "QuerySet[Notice]":
    """Exclude the notices that are mailed singly."""
    if not configuration().mail_in_address:
        return notices
    return notices.exclude(pk__in=Notice.objects.filter(PLAYED_BY_MAIL, mailed_at=None).values("pk"))


def write_digests() -> None:
    """Queue the digests that are due."""
    longest = to_be_mailed(clock.now()).values("guest").annotate(first=Min("at")).order_by("first")
    for guest in list(longest.values_list("guest", flat=True)[:MOST]):
        write_digest(guest)


def write_digest(guest: int) -> None:
    """Queue a guest's digest if it is due; otherwise store when it will be."""
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
        notices = list(unmailed.order_by("at", "pk"))
        unmailed.exclude(kind__in=wanted).update(mailed_at=now)
        chosen = [notice for notice in notices if notice.kind in wanted]
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
    """Queue a digest, in the transaction that marks its notices as mailed."""
    mailing.written, mailing.written_at, mailing.next_at = mailing.written + 1, now, now
    mailing.save(update_fields=["written", "written_at", "next_at"])
    Notice.objects.filter(pk__in=[notice.pk for notice in chosen]).update(mailed_at=now)
    named = [[notice.pk, notice.occurrence] for notice in chosen]
    key = f"digest.{mailing.guest_id}.{mailing.written}"
    enqueue("mail", key, {"digest": named}, guest=mailing.guest_id)


def note_refusal(guest: int | None, why: str) -> None:
    """Count a refusal by a guest's mail server; after `MOST_REFUSALS` in succession, stop their mail."""
    with writing():
        mailing = Mailing.objects.select_for_update().get(guest=guest)
        mailing.refusals += 1
        mailing.save(update_fields=["refusals"])
        if mailing.refusals >= MOST_REFUSALS:
            stop_mail(mailing, why, mailing.refusals)


def stop_mail(mailing: Mailing, why: str, count: int) -> None:
    """Stop mail to a person whom it doesn't reach, and tell them on the page. Call in a transaction."""
    mailing.pace, mailing.plays_by_mail = "off", False
    mailing.save(update_fields=["pace", "plays_by_mail"])
    data = {"label": "Mail", "count": count, "reason": why}
    notify(mailing.guest_id, "endpoint_off", f"mail.{mailing.written}", data)


WIDTH = 72
"""Characters per line of plain text."""
BOARDS = 4
"""Boards per mail."""
SALT = "notices.off"


class Reply(NamedTuple):
    """How to answer a digest, if the site takes mail."""

    above: str
    """The line above which the reader writes an answer."""
    instructions: str
    """Instructions in sentences."""
    content: dict[str, Any]
    """The sender's fields for the mail's content: `from` and `envelope`."""
    headers: dict[str, str]


def digest_content(
    delivery: Delivery, reply_to: Callable[[int, Sequence[NoticeView]], Reply | None] = lambda *_: None
) -> dict[str, Any] | None:
    """The mail of a digest in the outbox's format; None if none of its notices still holds."""
    guest = delivery.guest_id
    address = mail_address(guest) if guest else ""
    mailing = Mailing.objects.filter(guest=guest).first()
    if guest is None or not address or mailing is None or mailing.pace == "off":
        return None
    notices = _valid_notices(delivery)
    if not notices:
        return None
    with translation.override(mailing.language):
        views = [NoticeView(notice) for notice in notices]
        return _content(guest, address, views, reply_to(guest, views))


def _valid_notices(delivery: Delivery) -> list[Notice]:
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


def _content(guest: int, address: str, views: Sequence[NoticeView], reply: Reply | None) -> dict[str, Any]:
    turns = [view for view in views if view.notice.kind == TURN]
    site = configuration().address
    off = site + reverse("notices_off", args=[unsubscribe_token(guest, address)])
    shown = _last_of_tables(views)[:BOARDS]
    items = [
        {
            "words": view.event,
            "deadline": view.deadline,
            "address": site + view.address,
            "board": board_text(view.notice) if view in shown else "",
        }
        for view in views
    ]
    values = {
        "items": items,
        "reply": reply,
        "preferences": site + reverse("notice_preferences"),
        "off": off,
        "subject": _subject(views, len(turns)),
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


def _last_of_tables(views: Sequence[NoticeView]) -> list[NoticeView]:
    """The last notice about each table."""
    return list({view.notice.table_id: view for view in views}.values())


def _subject(views: Sequence[NoticeView], turns: int) -> str:
    """The subject of a digest."""
    if len(views) == 1:
        return views[0].event
    if turns == len(views):
        return ngettext("Still your turn in {count} game", "Still your turn in {count} games", turns).format(
            count=turns
        )
    return ngettext("{count} update from your games", "{count} updates from your games", len(views)).format(
        count=len(views)
    )


def board_text(notice: Notice) -> str:
    """The board of a notice's table in plain text; empty without a table, or if too wide for a mail."""
    if notice.table is None:
        return ""
    lines = table_of(notice.table).match.position.text().rstrip().splitlines()
    return "\n".join(lines) if max(map(len, lines)) <= WIDTH - 4 else ""


def _wrapped(text: str) -> str:
    """Wrap plain text at `WIDTH`, leaving addresses and boards, which are indented, as they are."""
    lines = [
        [line] if line.startswith((" ", "--")) or "://" in line else textwrap.wrap(line, WIDTH) or [""]
        for line in text.strip().splitlines()
    ]
    return "\n".join(part for wrapped in lines for part in wrapped) + "\n"


def unsubscribe_token(guest: int, address: str) -> str:
    """The signed token of a link that stops mail to an address, whether or not its user is signed in."""
    return signing.dumps([guest, address], salt=SALT, compress=True)


def parse_unsubscribe_token(token: str) -> tuple[int, str] | None:
    """The guest and address of an unsubscribe token; None if its signature is invalid."""
    try:
        guest, address = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return guest, address
