"""The one answer that a mail gets, in the transaction that settles it, as long as the day's budget lasts.

Each address has a budget of answers a day, and all strangers have one together.
"""

import hashlib
import hmac
from collections.abc import Sequence

from django.conf import settings
from django.db.models import F
from django.utils.translation import get_language

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language import without_password
from kakomi.protocol.mail.printing import Block, board_block, board_subject, help_block
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.notices.outbox import post
from kakomi.server.notices.preferences import mail_address
from kakomi.server.post.authority import Authority
from kakomi.server.post.models import AnswerCount, ReceivedMail
from kakomi.server.post.outgoing import board_report, outgoing_mail
from kakomi.server.post.reply_addresses import Purpose, Token
from kakomi.server.post.requests import Result, boards_of
from kakomi.server.tables import models as tables

MOST_BOARDS = 10


def answer(row: ReceivedMail, mail: IncomingMail, authority: Authority, results: Sequence[Result]) -> bool:
    """Write the answer to a mail, unless its address has had enough for today. In a transaction.

    Whoever has an account gets it at their own confirmed address, wherever they wrote from.
    """
    guest = authority.guest
    address = mail_address(guest) if guest else mail.sender
    is_known, is_vouched_for = guest is not None, authority.is_vouched_for
    if not address or not spend(address, is_known=is_known, is_vouched_for=is_vouched_for):
        return False
    boards = boards_of(results)
    if not results and (answered := authority.table):
        boards = {answered.code: ""}
    rows = {table.code: table for table in tables.Table.objects.filter(code__in=list(boards)[:MOST_BOARDS])}
    reports = [board_report(rows[code], guest, note=note) for code, note in boards.items() if code in rows]
    blocks = [block for result in results for block in result.blocks]
    blocks += [board_block(report, translate) for report in reports]
    first = next(iter(rows.values())) if len(rows) == 1 else None
    content = outgoing_mail(
        address,
        guest,
        board_subject(reports[0], translate) if first else _subject(mail, guest),
        blocks or [_help()],
        reply=_reply(authority, first or _spoken_of(results), results),
        thread=first.pk if first else None,
        answers=[number for number in (mail.message_id, *mail.answers) if number],
    )
    key = f"answer.{row.key}" + (".confirmed" if row.is_confirmed else "")
    return post("mail", key, content, guest=guest)


def _help() -> Block:
    return help_block((), get_language() or "en", translate)


def _subject(mail: IncomingMail, guest: Guest | None) -> str:
    names = (guest.handle,) if guest and guest.handle else ()
    return f"Re: {without_password(mail.subject, names) or 'Kakomi'}"[:70]


def _spoken_of(results: Sequence[Result]) -> tables.Table | None:
    """The one table that results are about without showing it as it stands."""
    codes = {result.about for result in results if result.about}
    return tables.Table.objects.filter(code__in=codes).first() if len(codes) == 1 else None


def _reply(authority: Authority, row: tables.Table | None, results: Sequence[Result]) -> Token | None:
    """What an answer to the answer may do: confirm, act at the one board that it shows, or all else."""
    guest, seek = authority.guest, authority.seek
    waiting = [result.confirmation for result in results if result.confirmation is not None]
    if waiting:
        return Token.new(Purpose.CONFIRMATION, guest.pk if guest else 0, waiting[-1])
    if guest is None:
        return None
    if row is not None and row.seats.filter(guest=guest).exists():
        return Token.new(Purpose.TABLE, guest.pk, row.pk, row.entries)
    return Token.new(Purpose.ACCOUNT, guest.pk, seek.pk if seek else 0)


TO_PEOPLE = 200
"""Answers a day to the address of somebody who has an account."""


TO_UNPROVED = 50
"""The same, where nothing but a mail's `From` says that it comes from there."""


TO_STRANGERS = 5
"""Answers a day to any other address."""


TO_ALL_STRANGERS = 500
"""Answers a day to all of those together."""


DAY = 24 * 3600.0


def spend(address: str, *, is_known: bool, is_vouched_for: bool = True) -> bool:
    """Take one answer to an address from what is left for today; False if nothing is. In a transaction."""
    if is_known:
        return _count(address.lower(), TO_PEOPLE if is_vouched_for else TO_UNPROVED)
    return _count(address.lower(), TO_STRANGERS) and _count("", TO_ALL_STRANGERS)


def has_left(address: str, *, is_known: bool) -> bool:
    """Whether an answer to an address for which nobody vouches may still be sent today."""
    today = AnswerCount.objects.filter(day=_today())
    most = TO_UNPROVED if is_known else TO_STRANGERS
    is_used = today.filter(address=_digest(address.lower()), count__gte=most).exists()
    return not is_used and (
        is_known or not today.filter(address=_digest(""), count__gte=TO_ALL_STRANGERS).exists()
    )


def _count(address: str, most: int) -> bool:
    AnswerCount.objects.get_or_create(address=_digest(address), day=_today())
    counted = AnswerCount.objects.filter(address=_digest(address), day=_today(), count__lt=most)
    return counted.update(count=F("count") + 1) > 0


def _today() -> int:
    """Days since the epoch."""
    return int(clock.now() // DAY)


def _digest(address: str) -> str:
    key = f"kakomi.post.budget {settings.SECRET_KEY}".encode()
    return hmac.new(key, address.encode(), hashlib.sha256).hexdigest()
