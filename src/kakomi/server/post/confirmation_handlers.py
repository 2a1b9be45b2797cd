"""What happens when somebody confirms, by mail or by a link's page."""

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import Board, Confirm
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.language import why
from kakomi.server.post import confirmations, sign_up
from kakomi.server.post.answers import answer
from kakomi.server.post.authority import Authority
from kakomi.server.post.command_handlers import problem
from kakomi.server.post.models import Confirmation, ReceivedMail
from kakomi.server.post.reply_addresses import Token
from kakomi.server.post.requests import Request, Sitting
from kakomi.server.post.results import Result
from kakomi.server.post.table_handlers import play_submission
from kakomi.session import Refused

TOO_LATE = lazy_message("it is too late to confirm this: send it again")


def confirm(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> ReceivedMail.State:
    """Do what a mail confirms, in the transaction that settles it.

    A mail that is released has an answer of its own.
    """
    assert authority.token is not None
    row.guest = authority.guest
    try:
        with writing():
            result, authority = _done(row, authority)
    except (Refused, IllegalAction) as error:
        result = problem(mail.text.strip().partition("\n")[0][:80], why(error) or str(error))
    if result is not None:
        answer(row, mail, authority, [result])
    return ReceivedMail.State.DONE


def _done(row: ReceivedMail, authority: Authority) -> tuple[Result | None, Authority]:
    """What the answer says, None if it says nothing, and whose it is."""
    token = authority.token
    assert token is not None
    if not authority.is_in_time:
        raise Refused(TOO_LATE)
    kept = confirmations.take(token.subject, authority.guest, row.received_at)
    match kept.kind:
        case Confirmation.Kind.MAIL:
            confirmations.release_mail(kept)
            return None, authority
        case Confirmation.Kind.SIGN_UP:
            guest = sign_up.sign_up(kept)
            row.guest = guest
            return Result((sign_up.welcome(guest),)), Authority(guest)
        case _:
            assert kept.table is not None
            request = Request(row, 0, Authority(authority.guest, None, is_confirmed=True), Confirm(Board()))
            return play_submission(request, Sitting.of(kept.table, authority.guest), kept.data), authority


def confirm_by_link(token: Token) -> Confirmation:
    """Do what the page of a link confirms; what is played needs a mail. Raises Refused."""
    now = clock.now()
    if not token.holds_at(now):
        raise Refused(TOO_LATE)
    with writing():
        guest = Guest.objects.filter(pk=token.guest).first() if token.guest else None
        kept = confirmations.take(token.subject, guest, now)
        if kept.kind == Confirmation.Kind.SUBMISSION:
            raise Refused(lazy_message("a turn is confirmed by an answer to its mail"))
        if kept.kind == Confirmation.Kind.MAIL:
            confirmations.release_mail(kept)
        elif kept.kind == Confirmation.Kind.SIGN_UP:
            sign_up.sign_up(kept)
    return kept
