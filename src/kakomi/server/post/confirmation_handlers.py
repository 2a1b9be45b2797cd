"""What happens when somebody confirms, by mail or by a link's page; and signing up, which needs it.

A mail that asks for an account gets a question back; the account is there once its address confirms.
"""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils.translation import get_language, gettext

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import Board, Confirm, ParsedMail, SignUp
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.printing import Block, sentence_block
from kakomi.server import clock
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import NAME_LENGTH, Guest, User
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.language import translate, why
from kakomi.server.notices.models import Mailing
from kakomi.server.post import pending
from kakomi.server.post.answers import answer
from kakomi.server.post.authority import Authority, guest_of_address
from kakomi.server.post.command_handlers import problem
from kakomi.server.post.models import Confirmation, ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, Token
from kakomi.server.post.requests import Request, Result, Sitting
from kakomi.server.post.table_handlers import play_submission
from kakomi.session import Refused


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
        raise Refused(pending.TOO_LATE)
    kept = pending.confirmed(token.subject, authority.guest, row.received_at)
    match kept.kind:
        case Confirmation.Kind.MAIL:
            pending.release_mail(kept)
            return None, authority
        case Confirmation.Kind.SIGN_UP:
            guest = sign_up(kept)
            row.guest = guest
            return Result((welcome(guest),)), Authority(guest)
        case _:
            assert kept.table is not None
            request = Request(row, 0, Authority(authority.guest, None, is_confirmed=True), Confirm(Board()))
            return play_submission(request, Sitting.of(kept.table, authority.guest), kept.data), authority


def confirm_by_link(token: Token) -> Confirmation:
    """Do what the page of a link confirms; what is played needs a mail. Raises Refused."""
    now = clock.now()
    if not token.holds_at(now):
        raise Refused(pending.TOO_LATE)
    with writing():
        guest = Guest.objects.filter(pk=token.guest).first() if token.guest else None
        kept = pending.confirmed(token.subject, guest, now)
        if kept.kind == Confirmation.Kind.SUBMISSION:
            raise Refused(lazy_message("a turn is confirmed by an answer to its mail"))
        if kept.kind == Confirmation.Kind.MAIL:
            pending.release_mail(kept)
        elif kept.kind == Confirmation.Kind.SIGN_UP:
            sign_up(kept)
    return kept


def wanted_name(parsed: ParsedMail) -> str | None:
    """The name under which a mail signs up, "" if it names none; None if it does not sign up."""
    return next((command.name for command in parsed.commands if isinstance(command, SignUp)), None)


def ask_to_sign_up(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, name: str
) -> ReceivedMail.State:
    """Ask whoever has the address whether they want an account. Nobody else learns whether they have one."""
    line = f"signup {name}"[:80]
    try:
        result = _sign_up_question(row, mail, name)
    except Refused as error:
        result = problem(line, why(error))
    answer(row, mail, authority, [result])
    return ReceivedMail.State.DONE


def _sign_up_question(row: ReceivedMail, mail: IncomingMail, name: str) -> Result:
    if guest_of_address(mail.sender) is not None:
        raise Refused(
            lazy_message("this address has an account already: sign in with it on the pages of the site")
        )
    _check_name(name)
    data = {"name": name, "address": mail.sender, "language": get_language() or "en"}
    number = pending.keep_confirmation(f"signup:{row.key}", Confirmation.Kind.SIGN_UP, data=data)
    link = confirmation_link(Token.new(Purpose.CONFIRMATION, 0, number))
    asked = gettext(
        "Somebody, you we hope, would like to play here as {name} with this address. If so, answer with the"
        " word confirm within three days, or follow this link: {link} Else do nothing; nothing is kept then."
    )
    return Result((sentence_block(asked.format(name=name, link=link), say=translate),), confirmation=number)


def confirmation_link(token: Token) -> str:
    """The page on which something is confirmed."""
    return configuration().address + reverse("confirm_post", args=[token.text])


def _check_name(name: str) -> None:
    """Raise Refused for a name that can't be had."""
    if not 0 < len(name) <= NAME_LENGTH:
        raise Refused(lazy_message("write signup and the name that you want, of up to 30 characters"))
    try:
        get_adapter().clean_username(name)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None


def sign_up(kept: Confirmation) -> Guest:
    """The guest of a new account, which plays by mail; its owner may choose a password on the site. In a
    transaction. Raises Refused if the name or the address has been taken meanwhile."""
    name, address = kept.data["name"], kept.data["address"]
    _check_name(name)
    if guest_of_address(address) is not None:
        raise Refused(lazy_message("this address has an account already"))
    user = User(username=name, email=address)
    user.set_unusable_password()
    try:
        with writing():
            accounts.sign_up(user, None)
    except IntegrityError:
        raise Refused(lazy_message("somebody has taken this name meanwhile: sign up under another")) from None
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    Mailing.objects.create(guest=user.guest, plays_by_mail=True, language=kept.data["language"])
    kept.data = {}
    kept.save(update_fields=["data"])
    return user.guest


def welcome(guest: Guest) -> Block:
    """What a new account is told first."""
    reset = configuration().address + reverse("account_reset_password")
    said = gettext(
        "Welcome, {name}. You have an account, and your turns come by mail. Answer with help, with seek and a"
        " game, or with challenge, a game and a name. To sign in on the pages too, choose a password: {link}"
    )
    return sentence_block(said.format(name=guest, link=reset), say=translate)
