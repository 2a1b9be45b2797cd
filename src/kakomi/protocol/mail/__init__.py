"""Play by mail: emails to typed commands, results to emails (docs/mail.md). No sockets, database or clock.

`read_mail` parses bytes into an `IncomingMail`, `parse_mail` extracts its commands, and `read_turn` reads
the actions of a `Move` at a position. `kakomi.protocol.mail.printing` writes the answers.
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
