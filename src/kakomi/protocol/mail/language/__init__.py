"""The command language: the text of a mail to typed commands."""

from kakomi.protocol.mail.commands import ParsedMail, ReplyContext
from kakomi.protocol.mail.incoming import IncomingMail

MOST_COMMANDS = 20
"""Commands in one mail; a line more is answered with a problem."""


def parse_mail(mail: IncomingMail, context: ReplyContext | None = None) -> ParsedMail:
    """The commands in a mail's subject and in its text. Never raises."""
    return parse_text(mail.text, "" if mail.is_reply else mail.subject, context)


def parse_text(text: str, subject: str = "", context: ReplyContext | None = None) -> ParsedMail:
    """The commands in a text, those of the subject first. Never raises.

    A command stands in a line of its own. A paragraph that doesn't begin with a command, and all that follows,
    is a remark; so is the whole text below a subject that is a command.
    """
    raise NotImplementedError
