"""Play by mail: mails to typed commands, results to mails (docs/mail.md). No sockets, no database, no clock.

`read_mail` makes an `IncomingMail` of bytes, `parse_mail` the commands in it, `read_turn` the actions of a
`Move` at a position. `kakomi.protocol.mail.printing` makes answers.
"""

from kakomi.protocol.mail.commands import ParsedLine, ParsedMail, ReplyContext
from kakomi.protocol.mail.incoming import Bounce, IncomingMail
from kakomi.protocol.mail.language import parse_mail, parse_text
from kakomi.protocol.mail.reading import OWN_MARK, read_mail
from kakomi.protocol.mail.turns import ReadTurn, read_turn, read_turns, turns_in

__all__ = [
    "OWN_MARK",
    "Bounce",
    "IncomingMail",
    "ParsedLine",
    "ParsedMail",
    "ReadTurn",
    "ReplyContext",
    "parse_mail",
    "parse_text",
    "read_mail",
    "read_turn",
    "read_turns",
    "turns_in",
]
