"""Handling a mail: who it comes from, what it says, doing that, and one answer.

Each command is done in the transaction that notes that it is, the last one in that which also writes the
answer and settles the mail. So whoever handles it may die at any line, and the next one goes on from there.
"""

from collections.abc import Callable, Sequence
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
from kakomi.server.database import writing
from kakomi.server.language import translate
from kakomi.server.lobby.selectors import find_people
from kakomi.server.notices.models import Mailing
from kakomi.server.post import answers, confirmation_handlers, inbox, pending, remarks
from kakomi.server.post.answers import answer
from kakomi.server.post.authority import Authority, Verdict, authority_of
from kakomi.server.post.command_handlers import handle_command, problem
from kakomi.server.post.confirmation_handlers import confirm
from kakomi.server.post.models import Confirmation, HandledCommand, ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, is_site_address
from kakomi.server.post.requests import WHO_ARE_YOU, Request, Result, Right, Sitting, right_to, said, shown
from kakomi.server.tables import selectors

State = ReceivedMail.State
NO_ANSWER = lazy_message("Nothing was answered to the challenge: write accept or reject alone on a line.")
NO_TURN = lazy_message(
    "No turn and no command was found in your mail, so it is still your turn. Write the turn in a line of its"
    " own; what is encrypted can't be read."
)
Step = Callable[[ReceivedMail, int], Result]
"""Does a command, or passes a remark on, in a transaction in which the mail is locked."""


def attempt(row: ReceivedMail) -> None:
    """Handle a claimed mail; what fails is tried again later."""
    try:
        handle(row)
    except Exception as error:
        inbox.note_failure(row, error)


def handle(row: ReceivedMail) -> None:
    """Handle a claimed mail."""
    mail = read_mail(bytes(row.content))
    if inbox.is_bounce(row, mail):
        inbox.take_bounce(row, mail)
        return
    authority = authority_of(row, mail)
    if why := _why_unanswered(row, mail, authority):
        inbox.ignore(row, why)
        return
    with translation.override(_language(authority.guest)):
        _handle(row, mail, authority)


def _why_unanswered(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> str:
    """Why nobody answers a mail, nor does what it says; empty for one that is handled."""
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
    has_left = answers.has_left(mail.sender, is_known=authority.guest is not None)
    return "" if has_left else "enough answers for today"


def _may_be_senders(row: ReceivedMail, mail: IncomingMail) -> bool:
    """Whether the envelope, as far as it is known, names the domain of the sender's address."""
    envelope = row.sender or mail.envelope_sender or mail.sender
    return envelope.rpartition("@")[2].lower() == mail.sender.rpartition("@")[2]


def _language(guest: Guest | None) -> str:
    chosen = Mailing.objects.filter(guest=guest).values_list("language", flat=True).first() if guest else None
    return chosen or "en"


def _handle(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> None:
    token = authority.token
    if token and token.purpose == Purpose.CONFIRMATION and pending.is_confirming(mail.text):
        _settled(row, lambda locked: confirm(locked, mail, authority))
        return
    parsed = parse_mail(mail, _context(authority))
    if authority.guest is None and (name := confirmation_handlers.wanted_name(parsed)) is not None:
        _settled(row, lambda locked: confirmation_handlers.ask_to_sign_up(locked, mail, authority, name))
        return
    rights = [right_to(line.command, authority) if line.command else Right.NOW for line in parsed.lines]
    if parsed.remark and not parsed.lines:
        rights.append(right_to(Chat(Board(), parsed.remark), authority))
    if Right.CONFIRM in rights:
        _settled(row, lambda locked: _park(locked, mail, authority, parsed))
        return
    steps = _steps(authority, parsed, rights)
    if not steps:
        _settled(row, lambda locked: _answer(locked, mail, authority, _nothing(authority)))
    for number in range(len(steps)):
        if not _do(row, mail, authority, steps, number):
            return


def _steps(authority: Authority, parsed: ParsedMail, rights: Sequence[Right]) -> list[Step]:
    """What a mail's commands come to, and its remark after them."""
    steps: list[Step] = [
        partial(_result, authority=authority, parsed=parsed, line=line, right=right)
        for line, right in zip(parsed.lines, rights, strict=False)
    ]
    if remarks.table_of_remark(authority, parsed) is not None:
        steps.append(partial(_remark, authority=authority, parsed=parsed))
    return steps


def _settled(row: ReceivedMail, do: Callable[[ReceivedMail], State]) -> None:
    """Do all that a mail says in one transaction, which settles it."""
    with writing():
        if locked := inbox.lock(row):
            inbox.settle(locked, do(locked))


def _context(authority: Authority) -> ReplyContext:
    row, guest, seek = authority.table, authority.guest, authority.seek
    names = (guest.handle,) if guest and guest.handle else ()
    plays_at = partial(_plays_at, guest)
    if row is None:
        code = seek.code if seek else ""
        return ReplyContext(code, has_offer=bool(seek), names=names, knows=_are_people, plays_at=plays_at)
    table = selectors.table_of(row)
    phase = "over" if table.is_over else table.match.phase
    has_offer = table.offer is not None
    return ReplyContext(
        row.code, phase, row.game, has_offer=has_offer, names=names, knows=_are_people, plays_at=plays_at
    )


def _plays_at(guest: Guest | None, number: str) -> bool:
    return (
        guest is not None
        and bool(number)
        and selectors.numbered(int(number)).filter(seats__guest=guest).exists()
    )


def _are_people(names: Sequence[str]) -> bool:
    return not find_people(names)[1]


def _do(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, steps: Sequence[Step], number: int
) -> bool:
    """Do one command, unless it is done; the last one with the answer. False if another handles the mail."""
    with writing():
        if (locked := inbox.lock(row)) is None:
            return False
        if not locked.commands.filter(number=number).exists():
            result = steps[number](locked, number)
            HandledCommand.objects.create(mail=locked, number=number, result=result.to_json())
        if number == len(steps) - 1:
            kept = locked.commands.order_by("number").values_list("result", flat=True)
            results = [Result.from_json(data) for data in kept]
            state = _answer(locked, mail, authority, results)
            locked.commands.update(result={})
            inbox.settle(locked, state)
    return True


def _remark(row: ReceivedMail, number: int, *, authority: Authority, parsed: ParsedMail) -> Result:
    """Pass a remark on, unless the last command before it could not be carried out."""
    if number == 0:
        passed = remarks.pass_on(row, authority, parsed)
        return Result(passed.blocks, _nothing(authority)[0].boards)
    before = row.commands.filter(number=number - 1).first()
    if before is None or Result.from_json(before.result).is_problem:
        return Result()
    return remarks.pass_on(row, authority, parsed)


def _nothing(authority: Authority) -> list[Result]:
    """The board that a mail answers which has no command, with a word about that to who is to act."""
    row = authority.table
    if row is None:
        return [said(NO_ANSWER)] if authority.seek else []
    at = Sitting.of(row, authority.guest)
    return [shown(row.code, "" if at.viewer.acting(at.table) is None else NO_TURN)]


def _result(
    row: ReceivedMail,
    number: int,
    *,
    authority: Authority,
    parsed: ParsedMail,
    line: ParsedLine,
    right: Right,
) -> Result:
    if line.command is None:
        return problem(line, translate(line.problem))
    if right == Right.NOT:
        return problem(line, translate(WHO_ARE_YOU))
    remark = parsed.remark if line is parsed.lines[-1] else ""
    result = handle_command(Request(row, number, authority, line.command, remark), line.line)
    if not line.notes:
        return result
    notes = sentence_block(*map(translate, line.notes), say=translate)
    return Result((*result.blocks, notes), result.boards, result.confirmation, result.is_problem)


def _answer(row: ReceivedMail, mail: IncomingMail, authority: Authority, results: list[Result]) -> State:
    if authority.guest is not None:
        row.guest = authority.guest
        if authority.is_proved:
            inbox.note_sign_of_life(authority.guest)
    answer(row, mail, authority, results)
    return State.DONE


def _park(row: ReceivedMail, mail: IncomingMail, authority: Authority, parsed: ParsedMail) -> State:
    """Do nothing yet, and ask whoever it seems to come from to confirm it."""
    assert authority.guest is not None
    number = pending.keep_confirmation(
        f"mail:{row.key}", Confirmation.Kind.MAIL, guest=authority.guest, mail=row
    )
    asked = gettext(
        "A mail that came with your address asks for what stands below. Nothing is done yet. If it is yours,"
        " answer with the word confirm within three days; else do nothing."
    )
    lines = "; ".join(line.line for line in parsed.lines) or parsed.remark
    blocks = (sentence_block(asked, say=translate), sentence_block(lines, say=translate))
    _answer(row, mail, authority, [Result(blocks, confirmation=number)])
    return State.PARKED
