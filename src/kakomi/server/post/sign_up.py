"""Signing up by mail: whoever asks gets a mail, and has an account once they confirm it."""

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.urls import reverse
from django.utils.translation import get_language, gettext

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail.commands import ParsedMail, SignUp
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.printing import Block, sentence_block
from kakomi.server.accounts import services as accounts
from kakomi.server.accounts.models import NAME_LENGTH, Guest, User
from kakomi.server.configuration import configuration
from kakomi.server.database import writing
from kakomi.server.language import translate, why
from kakomi.server.notices.models import Mailing
from kakomi.server.post import confirmations
from kakomi.server.post.answers import answer
from kakomi.server.post.authority import Authority, guest_of_address
from kakomi.server.post.command_handlers import problem
from kakomi.server.post.models import Confirmation, ReceivedMail
from kakomi.server.post.reply_addresses import Purpose, Token
from kakomi.server.post.results import Result
from kakomi.session import Refused


def wanted_name(parsed: ParsedMail) -> str | None:
    """The name under which a mail signs up, "" if it names none; None if it does not sign up."""
    return next((command.name for command in parsed.commands if isinstance(command, SignUp)), None)


def ask(row: ReceivedMail, mail: IncomingMail, authority: Authority, name: str) -> ReceivedMail.State:
    """Ask whoever has the address whether they want an account. Nobody else learns whether they have one."""
    line = f"signup {name}"[:80]
    try:
        result = _asked(row, mail, name)
    except Refused as error:
        result = problem(line, why(error))
    answer(row, mail, authority, [result])
    return ReceivedMail.State.DONE


def _asked(row: ReceivedMail, mail: IncomingMail, name: str) -> Result:
    if guest_of_address(mail.sender) is not None:
        raise Refused(
            lazy_message("this address has an account already: sign in with it on the pages of the site")
        )
    _check(name)
    data = {"name": name, "address": mail.sender, "language": get_language() or "en"}
    number = confirmations.keep(f"signup:{row.key}", Confirmation.Kind.SIGN_UP, data=data)
    link = confirmation_link(Token.new(Purpose.CONFIRMATION, 0, number))
    asked = gettext(
        "Somebody, you we hope, would like to play here as {name} with this address. If so, answer with the"
        " word confirm within three days, or follow this link: {link} Else do nothing; nothing is kept then."
    )
    return Result((sentence_block(asked.format(name=name, link=link), say=translate),), confirmation=number)


def confirmation_link(token: Token) -> str:
    """The page on which something is confirmed."""
    return configuration().address + reverse("confirm_post", args=[token.text])


def _check(name: str) -> None:
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
    _check(name)
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
