"""Printing answers: results as plain text of 72 columns, and as HTML.

Functions take `say`, which translates a text (`kakomi.server.site.language.translate`; `str` for English),
and return a `Block` of text and equivalent HTML. `print_mail` joins blocks into an email.
"""

from kakomi.protocol.mail.printing.blocks import (
    COLUMNS,
    Block,
    Picture,
    PrintedMail,
    Say,
    joined,
    print_mail,
    problem_block,
    remark_block,
    reply_line,
    sentence_block,
)
from kakomi.protocol.mail.printing.board import (
    BoardReport,
    SeatLine,
    board_block,
    board_subject,
    position_block,
)
from kakomi.protocol.mail.printing.help import help_block
from kakomi.protocol.mail.printing.lists import Standing, games_block, list_block, standings_block

__all__ = [
    "COLUMNS",
    "Block",
    "BoardReport",
    "Picture",
    "PrintedMail",
    "Say",
    "SeatLine",
    "Standing",
    "board_block",
    "board_subject",
    "games_block",
    "help_block",
    "joined",
    "list_block",
    "position_block",
    "print_mail",
    "problem_block",
    "remark_block",
    "reply_line",
    "sentence_block",
    "standings_block",
]
