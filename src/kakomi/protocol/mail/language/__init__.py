"""The command language: the text of a mail to typed commands."""

from kakomi.protocol.mail.commands import ParsedMail, ReplyContext
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language.parsing import MOST_COMMANDS, parse_text, without_password

__all__ = ["MOST_COMMANDS", "parse_mail", "parse_text", "without_password"]


def parse_mail(mail: IncomingMail, context: ReplyContext | None = None) -> ParsedMail:
    """The commands in a mail's subject and in its text. Never raises.

    A subject that begins with `Re:` or its kind is what somebody else wrote, and is left out.
    """
    return parse_text(mail.text, "" if mail.has_prefix else mail.subject, context)
