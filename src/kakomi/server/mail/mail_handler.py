"""Handle a mail: authenticate the sender, parse the commands, carry them out, and send one answer.

Each command is done in the transaction that records it as done; the last one's transaction also writes the
answer and settles the mail. So a process may die at any line, and another continues from there.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from django.utils import translation
from django.utils.translation import gettext

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import Board, Chat, ParsedLine, ParsedMail, ReplyContext
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language import parse_mail
from kakomi.protocol.mail.printing import sentence_block
from kakomi.protocol.mail.reading import read_mail
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.selectors import find_people
from kakomi.server.mail import answers, confirmation_handlers, inbox, pending, remarks
from kakomi.server.mail.answers import answer
from kakomi.server.mail.authority import Authority, Verdict, authority_of
from kakomi.server.mail.command_handlers import handle_mail_command, problem_result
from kakomi.server.mail.confirmation_handlers import confirm
from kakomi.server.mail.models import Confirmation, HandledCommand, ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose, is_site_address
from kakomi.server.mail.requests import (
    WHO_ARE_YOU,
    CommandResult,
    Request,
    Right,
    TableContext,
    board_result,
    right_to,
    text_result,
)
from kakomi.server.notices.models import Mailing
from kakomi.server.site.database import writing
from kakomi.server.site.language import translate
from kakomi.server.tables import selectors

State = ReceivedMail.State
NO_ANSWER = lazy_message(
    "You haven’t answered the challenge yet: write “accept” or “reject” on its own line."
)
NO_TURN = lazy_message(
    "Your email contained no move or command, so it’s still your turn. Write the move on "
    "its own line. Encrypted emails can’t be read."
)
Step = Callable[[ReceivedMail, int], CommandResult]
"""Carries out a command or passes a remark on, in a transaction in which the mail is locked."""


def attempt(row: ReceivedMail) -> None:
    """Handle a claimed mail; schedule a retry if that fails."""
    try:
        handle(row)
    except Exception as error:
        inbox.note_failure(row, error)


def handle(row: ReceivedMail) -> None:
    """Handle a claimed mail."""
    mail = read_mail(bytes(row.content))
    if inbox.is_bounce(row, mail):
        inbox.handle_bounce(row, mail)
        return
    authority = authority_of(row, mail)
    if why := _why_unanswered(row, mail, authority):
        inbox.ignore(row, why)
        return
    with translation.override(_language(authority.guest)):
        _handle(row, mail, authority)


def _why_unanswered(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> str:
    """Why a mail is ignored, unanswered; empty if it is to be handled."""
    if row.sender == inbox.NULL_SENDER:
        return "null sender"
    if mail.automatic:
        return mail.automatic
    if not mail.may_be_answered:
        return "no sender"
    if any(is_site_address(address) for address in (mail.sender, row.sender) if address):
        return "own"
    if authority.verdict == Verdict.FORGED:
        return "forged"
    if authority.is_vouched_for:
        return ""
    if not _may_be_senders(row, mail):
        return "another sender on the envelope"
    has_budget = answers.has_budget(mail.sender, is_known=authority.guest is not None)
    return "" if has_budget else "enough answers for today"


def _may_be_senders(row: ReceivedMail, mail: IncomingMail) -> bool:
    """Whether the envelope's sender, if known, has the domain of the sender's address."""
    envelope = row.sender or mail.envelope_sender or mail.sender
    return envelope.rpartition("@")[2].lower() == mail.sender.rpartition("@")[2]


def _language(guest: Guest | None) -> str:
    chosen = Mailing.objects.filter(guest=guest).values_list("language", flat=True).first() if guest else None
    return chosen or "en"


def _handle(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> None:
    token = authority.token
    if token and token.purpose == Purpose.CONFIRMATION and pending.is_confirming(mail.text):
        _settle_with(row, lambda locked: confirm(locked, mail, authority))
        return
    parsed = parse_mail(mail, _context(authority))
    if authority.guest is None and (name := confirmation_handlers.wanted_name(parsed)) is not None:
        _settle_with(row, lambda locked: confirmation_handlers.ask_to_sign_up(locked, mail, authority, name))
        return
    rights = [right_to(line.command, authority) if line.command else Right.NOW for line in parsed.lines]
    if parsed.remark and not parsed.lines:
        rights.append(right_to(Chat(Board(), parsed.remark), authority))
    if Right.CONFIRM in rights:
        _settle_with(row, lambda locked: _park(locked, mail, authority, parsed))
        return
    steps = _steps(authority, parsed, rights)
    if not steps:
        _settle_with(
            row, lambda locked: _answer(locked, mail, authority, _results_without_commands(authority))
        )
    for number in range(len(steps)):
        if not _do_step(row, mail, authority, steps, number):
            return


def _steps(authority: Authority, parsed: ParsedMail, rights: Sequence[Right]) -> list[Step]:
    """The steps of a mail: its commands, then its remark if that is for a table."""
    steps: list[Step] = [
        partial(_do_line, authority=authority, parsed=parsed, line=line, right=right)
        for line, right in zip(parsed.lines, rights, strict=False)
    ]
    if remarks.table_of_remark(authority, parsed) is not None:
        steps.append(partial(_do_remark, authority=authority, parsed=parsed))
    return steps


def _settle_with(row: ReceivedMail, do: Callable[[ReceivedMail], State]) -> None:
    """Handle a whole mail in one transaction, which settles it."""
    with writing():
        if locked := inbox.lock(row):
            inbox.settle(locked, do(locked))


def _context(authority: Authority) -> ReplyContext:
    row, guest, seek = authority.table, authority.guest, authority.seek
    names = (guest.handle,) if guest and guest.handle else ()
    plays_at = partial(_plays_at, guest)
    if row is None:
        code = seek.code if seek else ""
        return ReplyContext(
            code, has_offer=bool(seek), names=names, are_people=_are_all_people, plays_at=plays_at
        )
    table = selectors.table_of(row)
    phase = "over" if table.is_over else table.match.phase
    has_offer = table.offer is not None
    return ReplyContext(
        row.code,
        phase,
        row.game,
        has_offer=has_offer,
        names=names,
        are_people=_are_all_people,
        plays_at=plays_at,
    )


def _plays_at(guest: Guest | None, number: str) -> bool:
    return (
        guest is not None
        and bool(number)
        and selectors.tables_numbered(int(number)).filter(seats__guest=guest).exists()
    )


def _are_all_people(names: Sequence[str]) -> bool:
    return not find_people(names)[1]


def _do_step(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, steps: Sequence[Step], number: int
) -> bool:
    """Do one step unless it is done; the last one also answers. False if another process has the mail."""
    with writing():
        if (locked := inbox.lock(row)) is None:
            return False
        if not locked.commands.filter(number=number).exists():
            result = steps[number](locked, number)
            HandledCommand.objects.create(mail=locked, number=number, result=result.to_json())
        if number == len(steps) - 1:
            kept = locked.commands.order_by("number").values_list("result", flat=True)
            results = [CommandResult.from_json(data) for data in kept]
            state = _answer(locked, mail, authority, results)
            locked.commands.update(result={})
            inbox.settle(locked, state)
    return True


def _do_remark(row: ReceivedMail, number: int, *, authority: Authority, parsed: ParsedMail) -> CommandResult:
    """Pass a remark on, unless the last command failed."""
    if number == 0:
        passed = remarks.pass_remark_on(row, authority, parsed)
        return CommandResult(passed.blocks, _results_without_commands(authority)[0].boards)
    before = row.commands.filter(number=number - 1).first()
    if before is None or CommandResult.from_json(before.result).is_problem:
        return CommandResult()
    return remarks.pass_remark_on(row, authority, parsed)


def _results_without_commands(authority: Authority) -> list[CommandResult]:
    """The result for a mail without commands: the board it answers, with a hint if the sender is to act."""
    row = authority.table
    if row is None:
        return [text_result(NO_ANSWER)] if authority.seek else []
    context = TableContext.of(row, authority.guest)
    return [board_result(row.code, "" if context.viewer.seat_to_act(context.table) is None else NO_TURN)]


def _do_line(
    row: ReceivedMail,
    number: int,
    *,
    authority: Authority,
    parsed: ParsedMail,
    line: ParsedLine,
    right: Right,
) -> CommandResult:
    if line.command is None:
        return problem_result(line, translate(line.problem))
    if right == Right.NOT:
        return problem_result(line, translate(WHO_ARE_YOU))
    remark = parsed.remark if line is parsed.lines[-1] else ""
    result = handle_mail_command(Request(row, number, authority, line.command, remark), line.line)
    if not line.notes:
        return result
    notes = sentence_block(*map(translate, line.notes), say=translate)
    return replace(result, blocks=(*result.blocks, notes))


def _answer(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, results: list[CommandResult]
) -> State:
    if authority.guest is not None:
        row.guest = authority.guest
        if authority.is_proved:
            inbox.reset_bounces(authority.guest)
    answer(row, mail, authority, results)
    return State.DONE


def _park(row: ReceivedMail, mail: IncomingMail, authority: Authority, parsed: ParsedMail) -> State:
    """Do nothing yet, and ask the apparent sender for confirmation."""
    assert authority.guest is not None
    number = pending.save_confirmation(
        f"mail:{row.key}", Confirmation.Kind.MAIL, guest=authority.guest, mail=row
    )
    asked = gettext(
        "We received an email from your address with the commands below and haven’t carried "
        "them out yet. If you sent it, reply with the word “confirm” within three days. "
        "Otherwise ignore this email."
    )
    lines = "; ".join(line.line for line in parsed.lines) or parsed.remark
    blocks = (sentence_block(asked, say=translate), sentence_block(lines, say=translate))
    _answer(row, mail, authority, [CommandResult(blocks, confirmation=number)])
    return State.PARKED
