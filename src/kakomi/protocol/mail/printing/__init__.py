"""Printing answers: results to plain text of 72 columns, and to HTML beside it.

Every function takes `say`, which translates a text (`kakomi.server.language.translate`; `str` for English), and
gives a `Block`, text and HTML that say the same. `print_mail` puts blocks together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.protocol.mail.commands import ParsedLine
from kakomi.session import Table

COLUMNS = 72
"""No line of a text is longer, but for addresses of pages and boards that are wider in themselves."""

Say = Callable[[str], str]


@dataclass(frozen=True)
class Block:
    """A part of a mail, as text and as HTML."""

    text: str
    """Lines of at most `COLUMNS` characters, without a line feed at the end."""
    html: str
    """Elements for the body, styles in attributes; nothing that has to be loaded."""


@dataclass(frozen=True)
class PrintedMail:
    """A mail to send, but for its addresses and headers."""

    subject: str
    """One line of at most 72 characters."""
    text: str
    html: str
    """A whole document."""


@dataclass(frozen=True)
class SeatLine:
    """Who sits at a seat, as the site says it."""

    name: str
    rating: str = ""
    """Such as `1620 ± 80`; "" if there is none."""
    clock: str = ""
    """What is left, such as `2 days 4 hours`; "" without a clock."""


@dataclass(frozen=True)
class BoardReport:
    """A table as a mail shows it to one reader. Moments and times come as words of the reader's language."""

    code: str
    table: Table
    seats: tuple[SeatLine, ...]
    """By seat number."""
    viewer: int | None = None
    """The seat of the reader; None: they only watch."""
    deadline: str = ""
    """Until when who is to act has time, such as `Thursday 26 November, 18:00 CET`; "" without a limit."""
    link: str = ""
    """The address of the table's page."""
    remarks: tuple[tuple[str, str], ...] = ()
    """What was said since the reader's last mail: names and texts."""
    rating_changes: tuple[str, ...] = ()
    """Once the match is over: lines such as `bob: 1620 → 1634`."""
    queued: str = ""
    """The reader's own turn that is kept, as its actions; "" if there is none."""
    note: str = ""
    """A sentence that comes first: what was just done, or why something was not."""
    rounds: int = 4
    """How many of the last rounds are listed; 0: all of the game."""
    can_reply: bool = True
    """Whether a reply to this mail is a move."""


def board_subject(report: BoardReport, say: Say = str) -> str:
    """The subject of a mail about a board: the game, the code, the turn, and whose it is."""
    raise NotImplementedError


def board_block(report: BoardReport, say: Say = str) -> Block:
    """Whose turn it is and until when, seats and scores, the last rounds in columns, the board, offers, the
    komi, how to answer, remarks."""
    raise NotImplementedError


def position_block(position: Position, title: str = "", say: Say = str) -> Block:
    """A board alone, for previews: its text, its picture, and who is to act."""
    raise NotImplementedError


def problem_block(line: ParsedLine | str, reason: str, say: Say = str) -> Block:
    """That a line of a mail could not be carried out, and why, with the line quoted."""
    raise NotImplementedError


def quote_block(text: str, say: Say = str) -> Block:
    """The first lines of the mail that is answered, quoted."""
    raise NotImplementedError


def sentence_block(*sentences: str, say: Say = str) -> Block:
    """A paragraph."""
    raise NotImplementedError


def help_block(topics: Sequence[str] = (), language: str = "en", say: Say = str) -> Block:
    """Help on topics as `Help` has them: all commands in short, a command in full, or a game with its rules."""
    raise NotImplementedError


def list_block(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], say: Say = str) -> Block:
    """A list in columns, such as games, standings or seeks; the cells come as words.

    Columns of numbers are set to the right. Rows that are too wide go on below, indented.
    """
    raise NotImplementedError


def standings_block(title: str, rows: Sequence["Standing"], say: Say = str) -> Block:
    """Ratings with their intervals and the numbers of games behind them."""
    raise NotImplementedError


@dataclass(frozen=True)
class Standing:
    """Somebody's rating in a game."""

    place: int
    name: str
    rating: float
    margin: float
    """Half of the width of the interval that holds the strength with 95 %, in points."""
    games: int
    is_provisional: bool = False


def games_block(say: Say = str) -> Block:
    """The games that can be played, with their parameters."""
    raise NotImplementedError


def print_mail(subject: str, blocks: Sequence[Block], *, footer: str = "", language: str = "en") -> PrintedMail:
    """A mail of blocks, one after the other; the footer is small print such as how to get no more mails."""
    raise NotImplementedError
