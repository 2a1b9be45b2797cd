"""A digest as a mail: what of it is still true when it is sent, in its reader's language."""

import textwrap
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core import signing
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import ngettext

from kakomi.server.configuration import configuration
from kakomi.server.notices.addresses import mail_address
from kakomi.server.notices.kinds import PRESSING, TURN
from kakomi.server.notices.models import Delivery, Mailing, Notice
from kakomi.server.notices.presenters import NoticeView
from kakomi.server.notices.turns import is_pressing
from kakomi.server.tables.selectors import table_of

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
