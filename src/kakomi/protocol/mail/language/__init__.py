"""The command language: from the text of an email to typed commands."""

from kakomi.protocol.mail.commands import ParsedMail, ReplyContext
from kakomi.protocol.mail.incoming import IncomingMail
from kakomi.protocol.mail.language.parsing import MOST_COMMANDS, parse_text, without_password

__all__ = ["MOST_COMMANDS", "parse_mail", "parse_text", "without_password"]


def parse_mail(mail: IncomingMail, context: ReplyContext | None = None) -> ParsedMail:
    """Return the commands in an email's subject and text. Never raises.

    A subject with a prefix such as `Re:` was written by somebody else and is ignored.
    """
    return parse_text(mail.text, "" if mail.has_prefix else mail.subject, context)
