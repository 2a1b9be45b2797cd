"""Mails to people who play by mail: where an answer goes, and to which thread they belong."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.translation import get_language, gettext

from kakomi.protocol.mail.printing import Block, print_mail, reply_line
from kakomi.protocol.mail.reading import OWN_MARK
from kakomi.server.accounts.models import Guest
from kakomi.server.configuration import configuration
from kakomi.server.language import translate
from kakomi.server.notices.digest_mail import unsubscribe_token
from kakomi.server.notices.mail_sender import message_id
from kakomi.server.post.reply_addresses import Token, bounce_address, reply_address

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
    """A mail as the outbox keeps mails.

    `reply` makes the secret address to which its reader answers; `thread` is the number of the table that it
    is about; `answers` are the message ids of the mail that it answers and of those before, the latest first.
    """
    site = configuration()
    off = site.address + reverse("notices_off", args=[unsubscribe_token(guest.pk, address)]) if guest else ""
    above = reply_line(translate) if reply else ""
    language = get_language() or "en"
    printed = print_mail(subject, blocks, footer=_footer(off), language=language, above=above)
    return {
        "to": address,
        "from": f"{site.site_name} <{site.post_address}>",
        "envelope": bounce_address(guest.pk) if guest else site.post_bounces,
        "subject": printed.subject,
        "text": printed.text,
        "html": printed.html,
        "pictures": [[picture.cid, picture.svg] for picture in printed.pictures],
        "headers": {
            "Auto-Submitted": "auto-replied" if answers else "auto-generated",
            OWN_MARK: "1",
            "Reply-To": reply_address(reply) if reply else site.post_address,
            **_threaded(guest, thread, answers),
            **(_stoppable(off) if off else {}),
        },
    }


def _footer(off: str) -> str:
    said = gettext("Answer with help, and you are told all commands.")
    return f"{said} {gettext('No more mail about games: {link}').format(link=off)}" if off else said


def _threaded(guest: Guest | None, thread: int | None, answers: Sequence[str]) -> dict[str, str]:
    """All mails to somebody about a table name the same first mail, so mail programs put them together."""
    first = [message_id(f"post.thread.{thread}.{guest.pk}")] if thread and guest else []
    references = [*first, *(number for number in reversed(answers[:MOST_REFERENCES]) if number not in first)]
    if not references:
        return {}
    return {"In-Reply-To": answers[0] if answers else first[0], "References": " ".join(references)}


def _stoppable(off: str) -> dict[str, str]:
    return {
        "List-Unsubscribe": f"<{off}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "List-Id": f"Kakomi <games.{urlsplit(configuration().address).hostname}>",
    }
