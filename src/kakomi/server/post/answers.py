"""The one answer that a mail gets, written in the transaction that settles it."""

from collections.abc import Sequence

from django.utils.translation import get_language

from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language import without_password
from kakomi.protocol.mail.printing import Block, board_block, board_subject, help_block
from kakomi.server.accounts.models import Guest
from kakomi.server.language import translate
from kakomi.server.notices.addresses import mail_address
from kakomi.server.notices.outbox import post
from kakomi.server.post import budget
from kakomi.server.post.authority import Authority
from kakomi.server.post.models import ReceivedMail
from kakomi.server.post.outgoing import outgoing_mail
from kakomi.server.post.reply_addresses import Purpose, Token
from kakomi.server.post.reports import board_report
from kakomi.server.post.results import Result, boards_of
from kakomi.server.tables import models as tables

MOST_BOARDS = 10


def answer(row: ReceivedMail, mail: IncomingMail, authority: Authority, results: Sequence[Result]) -> bool:
    """Write the answer to a mail, unless its address has had enough for today. In a transaction.

    Whoever has an account gets it at their own confirmed address, wherever they wrote from.
    """
    guest = authority.guest
    address = mail_address(guest) if guest else mail.sender
    is_known, is_vouched_for = guest is not None, authority.is_vouched_for
    if not address or not budget.take(address, is_known=is_known, is_vouched_for=is_vouched_for):
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
