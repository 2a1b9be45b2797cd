"""The answer to a mail, written in the transaction that settles the mail, within a daily budget.

Each address has its own budget of answers per day, and all strangers share another one.
"""

import hashlib
import hmac
from collections.abc import Sequence

from django.conf import settings
from django.db.models import F
from django.utils.translation import get_language

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language import without_password
from kakomi.protocol.mail.printing import board_block, board_subject, help_block
from kakomi.server.accounts.models import Guest
from kakomi.server.mail.authority import Authority
from kakomi.server.mail.models import AnswerCount, ReceivedMail
from kakomi.server.mail.outgoing import board_report, outgoing_mail
from kakomi.server.mail.reply_addresses import Purpose, Token
from kakomi.server.mail.requests import CommandResult, boards_of
from kakomi.server.notices.outbox import enqueue
from kakomi.server.notices.preferences import mail_address
from kakomi.server.site import clock
from kakomi.server.site.language import translate
from kakomi.server.tables import models as tables

MOST_BOARDS = 10
"""Boards per answer."""
TO_PEOPLE = 200
"""Answers per day to an account's address."""
TO_UNPROVED = 50
"""Answers per day to an account's address if only the `From` header identifies the sender."""
TO_STRANGERS = 5
"""Answers per day to any other address."""
TO_ALL_STRANGERS = 500
"""Answers per day to all other addresses together."""
DAY = 24 * 3600.0


def answer(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, results: Sequence[CommandResult]
) -> bool:
    """Queue the answer to a mail, unless its address has used up today's budget. Call in a transaction.

    Account holders get it at their confirmed address, whichever address they wrote from.
    """
    guest = authority.guest
    address = mail_address(guest) if guest else mail.sender
    is_known, is_vouched_for = guest is not None, authority.is_vouched_for
    if not address or not use_budget(address, is_known=is_known, is_vouched_for=is_vouched_for):
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
        blocks or [help_block((), get_language() or "en", translate)],
        reply=_reply(authority, first or _table_of_results(results), results),
        thread=first.pk if first else None,
        answers=[number for number in (mail.message_id, *mail.answered_ids) if number],
    )
    key = f"answer.{row.key}" + (".confirmed" if row.is_confirmed else "")
    return enqueue("mail", key, content, guest=guest)


def _subject(mail: IncomingMail, guest: Guest | None) -> str:
    names = (guest.handle,) if guest and guest.handle else ()
    return f"Re: {without_password(mail.subject, names) or 'Kakomi'}"[:70]


def _table_of_results(results: Sequence[CommandResult]) -> tables.Table | None:
    """The single table that the results are about without showing it; None if there are several or none."""
    codes = {result.about for result in results if result.about}
    return tables.Table.objects.filter(code__in=codes).first() if len(codes) == 1 else None


def _reply(authority: Authority, row: tables.Table | None, results: Sequence[CommandResult]) -> Token | None:
    """The token of the reply address: for a confirmation, the one board shown, or the whole account."""
    guest, seek = authority.guest, authority.seek
    waiting = [result.confirmation for result in results if result.confirmation is not None]
    if waiting:
        return Token.new(Purpose.CONFIRMATION, guest.pk if guest else 0, waiting[-1])
    if guest is None:
        return None
    if row is not None and row.seats.filter(guest=guest).exists():
        return Token.new(Purpose.TABLE, guest.pk, row.pk, row.entries)
    return Token.new(Purpose.ACCOUNT, guest.pk, seek.pk if seek else 0)


def use_budget(address: str, *, is_known: bool, is_vouched_for: bool = True) -> bool:
    """Take one answer from an address's budget for today; False if it is used up. Call in a transaction."""
    if is_known:
        return _count(address.lower(), TO_PEOPLE if is_vouched_for else TO_UNPROVED)
    return _count(address.lower(), TO_STRANGERS) and _count("", TO_ALL_STRANGERS)


def has_budget(address: str, *, is_known: bool) -> bool:
    """Whether an unauthenticated address has any budget left today."""
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
