"""Confirmations, by mail or through a link's page, and signing up, which needs one.

A mail that requests an account is answered with a question; confirming that creates the account.
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
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import NAME_LENGTH, Guest, User
from kakomi.server.mail import pending
from kakomi.server.mail.answers import answer
from kakomi.server.mail.authority import Authority, guest_of_address
from kakomi.server.mail.command_handlers import problem_result
from kakomi.server.mail.models import Confirmation, ReceivedMail
from kakomi.server.mail.reply_addresses import Purpose, Token
from kakomi.server.mail.requests import CommandResult, Request, TableContext
from kakomi.server.mail.table_handlers import play_submission
from kakomi.server.notices.models import Mailing
from kakomi.server.site import clock
from kakomi.server.site.configuration import configuration
from kakomi.server.site.database import writing
from kakomi.server.site.language import translate, why
from kakomi.session import Refused


def confirm(row: ReceivedMail, mail: IncomingMail, authority: Authority) -> ReceivedMail.State:
    """Do what a mail confirms, in the transaction that settles the mail.

    A parked mail that this releases gets its own answer.
    """
    assert authority.token is not None
    row.guest = authority.guest
    try:
        with writing():
            result, authority = _done(row, authority)
    except (Refused, IllegalAction) as error:
        result = problem_result(mail.text.strip().partition("\n")[0][:80], why(error) or str(error))
    if result is not None:
        answer(row, mail, authority, [result])
    return ReceivedMail.State.DONE


def _done(row: ReceivedMail, authority: Authority) -> tuple[CommandResult | None, Authority]:
    """The result to answer with, or None for no answer, and the authority of its recipient."""
    token = authority.token
    assert token is not None
    if not authority.is_in_time:
        raise Refused(pending.TOO_LATE)
    confirmation = pending.mark_confirmed(token.subject, authority.guest, row.received_at)
    match confirmation.kind:
        case Confirmation.Kind.MAIL:
            pending.release_mail(confirmation)
            return None, authority
        case Confirmation.Kind.SIGN_UP:
            guest = sign_up(confirmation)
            row.guest = guest
            return CommandResult((welcome(guest),)), Authority(guest)
        case _:
            assert confirmation.table is not None
            request = Request(row, 0, Authority(authority.guest, None, is_confirmed=True), Confirm(Board()))
            return play_submission(
                request, TableContext.of(confirmation.table, authority.guest), confirmation.data
            ), authority


def confirm_by_link(token: Token) -> Confirmation:
    """Do what a link's page confirms. Raises `Refused`, also for a turn, which needs a mail."""
    now = clock.now()
    if not token.is_valid_at(now):
        raise Refused(pending.TOO_LATE)
    with writing():
        guest = Guest.objects.filter(pk=token.guest).first() if token.guest else None
        confirmation = pending.mark_confirmed(token.subject, guest, now)
        if confirmation.kind == Confirmation.Kind.SUBMISSION:
            raise Refused(lazy_message("to confirm a move, reply to its email"))
        if confirmation.kind == Confirmation.Kind.MAIL:
            pending.release_mail(confirmation)
        elif confirmation.kind == Confirmation.Kind.SIGN_UP:
            sign_up(confirmation)
    return confirmation


def wanted_name(parsed: ParsedMail) -> str | None:
    """The name that a mail signs up with, "" if missing; None if it doesn't sign up."""
    return next((command.name for command in parsed.commands if isinstance(command, SignUp)), None)


def ask_to_sign_up(
    row: ReceivedMail, mail: IncomingMail, authority: Authority, name: str
) -> ReceivedMail.State:
    """Ask the address's owner whether they want an account. Only they learn whether they have one already."""
    line = f"signup {name}"[:80]
    try:
        result = _sign_up_question(row, mail, name)
    except Refused as error:
        result = problem_result(line, why(error))
    answer(row, mail, authority, [result])
    return ReceivedMail.State.DONE


def _sign_up_question(row: ReceivedMail, mail: IncomingMail, name: str) -> CommandResult:
    if guest_of_address(mail.sender) is not None:
        raise Refused(lazy_message("this address already has an account: sign in with it on the website"))
    _check_name(name)
    data = {"name": name, "address": mail.sender, "language": get_language() or "en"}
    number = pending.save_confirmation(f"signup:{row.key}", Confirmation.Kind.SIGN_UP, data=data)
    link = confirmation_link(Token.new(Purpose.CONFIRMATION, 0, number))
    asked = gettext(
        "Someone, hopefully you, wants to sign up here as {name} with this address. If it "
        "was you, reply with the word “confirm” within three days, or follow this link: "
        "{link} Otherwise ignore this email; we won’t store anything."
    )
    return CommandResult(
        (sentence_block(asked.format(name=name, link=link), say=translate),), confirmation=number
    )


def confirmation_link(token: Token) -> str:
    """The absolute address of the confirmation page."""
    return configuration().address + reverse("confirm_mail", args=[token.text])


def _check_name(name: str) -> None:
    """Raise `Refused` for an invalid or taken name."""
    if not 0 < len(name) <= NAME_LENGTH:
        raise Refused(lazy_message("write “signup” and a name of up to 30 characters"))
    try:
        get_adapter().clean_username(name)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from None


def sign_up(confirmation: Confirmation) -> Guest:
    """Create an account without a password that plays by mail, and return its guest. Call in a transaction.

    Raises `Refused` if the name or the address has been taken in the meantime.
    """
    name, address = confirmation.data["name"], confirmation.data["address"]
    _check_name(name)
    if guest_of_address(address) is not None:
        raise Refused(lazy_message("this address already has an account"))
    user = User(username=name, email=address)
    user.set_unusable_password()
    try:
        with writing():
            accounts.sign_up(user, None)
    except IntegrityError:
        raise Refused(lazy_message("this name has just been taken: sign up with another one")) from None
    EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    Mailing.objects.create(guest=user.guest, plays_by_mail=True, language=confirmation.data["language"])
    confirmation.data = {}
    confirmation.save(update_fields=["data"])
    return user.guest


def welcome(guest: Guest) -> Block:
    """The welcome message for a new account."""
    reset = configuration().address + reverse("account_reset_password")
    said = gettext(
        "Welcome, {name}. Your account is ready, and you’ll play by email. Reply with "
        "“help”, with “seek” and a game, or with “challenge”, a game and a name. To sign in "
        "on the website too, choose a password: {link}"
    )
    return sentence_block(said.format(name=guest, link=reset), say=translate)
