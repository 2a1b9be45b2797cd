"""A mail's command with its context, the sender's right to it, and its result."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, get_args

from django.db.models import Q

from kakomi.core.i18n import lazy_message
from kakomi.protocol.mail import commands
from kakomi.protocol.mail.commands import Board, Command
from kakomi.protocol.mail.printing import Block, Picture, sentence_block
from kakomi.server.accounts.models import Guest
from kakomi.server.mail.authority import Authority
from kakomi.server.mail.models import ReceivedMail
from kakomi.server.site.language import translate
from kakomi.server.tables import models as tables
from kakomi.server.tables import selectors
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table

AT_A_BOARD = get_args(commands.TableCommand)
_OF_AN_ACCOUNT = (commands.Challenge, commands.Message, commands.Unsubscribe)
_OF_A_READER = (commands.Seek, commands.StopSeeking, commands.Subscribe)
"""Permitted in an answer to any board's mail: the outcome is mailed to the same reader and easily undone."""
_OF_ONESELF = (commands.Notify, commands.Limit)


class Right(Enum):
    """Whether a sender may do something by mail."""

    NOW = "now"
    CONFIRM = "confirm"
    """Only after confirmation."""
    NOT = "not"
    """No, because nothing identifies them."""


@dataclass(frozen=True)
class Request:
    """A command of a mail, with its context."""

    mail: ReceivedMail
    number: int
    """Its place in the mail, from 0."""
    authority: Authority
    command: Command
    remark: str = ""
    """The text below it, if it is the mail's last command."""

    @property
    def key(self) -> str:
        """The key that makes the command idempotent. Keys from pages and programs can't contain a colon."""
        return f"mail:{self.mail.key[:32]}:{self.number}"

    @property
    def guest(self) -> Guest:
        """The sender. Raises `Refused` if unknown."""
        if self.authority.guest is None:
            raise Refused(WHO_ARE_YOU)
        return self.authority.guest

    def table(self, board: Board) -> tables.Table:
        """The table that the command means. Raises `Refused` if there is none."""
        row = table_meant(board, self.authority)
        if row is None and board.code:
            raise Refused(_no_board(board.code))
        if row is None:
            raise Refused(
                lazy_message("which board do you mean? You’ll find its number in the emails about it")
            )
        return row


WHO_ARE_YOU = lazy_message(
    "we don’t recognise you: reply to an email from this site or, if you’re new, write "
    "“signup” and a name; we never ask for a password by email and never read one"
)


@dataclass(frozen=True)
class TableContext:
    """A viewer at a table, with the table's current state."""

    row: tables.Table
    table: Table
    viewer: Viewer

    @staticmethod
    def of(row: tables.Table, guest: Guest | None) -> "TableContext":
        """A guest at a table, whether they play or watch."""
        return TableContext(row, selectors.table_of(row), Viewer.of(row, guest))


def table_meant(board: Board, authority: Authority) -> tables.Table | None:
    """The table that a command names, or the one that its mail answers.

    A code is secret, so knowing it is enough. Numbers can be guessed, so they work only for the table's
    players and subscribers, and for tables in the public list.
    """
    if not board.code:
        return authority.table
    if not is_number(board):
        return tables.Table.objects.filter(code=board.code).first()
    own = Q(seats__guest=authority.guest) | Q(subscriptions__guest=authority.guest)
    may_see = Q(listed_at__isnull=False) | own if authority.guest else Q(listed_at__isnull=False)
    return selectors.tables_numbered(int(board.code)).filter(may_see).first()


def is_number(board: Board) -> bool:
    """Whether a board is given by its number rather than its code."""
    return board.code.isdecimal() and len(board.code) < tables.CODE_LENGTH


def _no_board(code: str) -> str:
    if is_number(Board(code)):
        return lazy_message("you have no board {code}, and there is no public one", code=code)
    return lazy_message("there is no board {code}", code=code)


def right_to(command: Command, authority: Authority) -> Right:
    """Whether a mail's sender may carry out a command."""
    is_known = authority.guest is not None
    if isinstance(command, AT_A_BOARD):
        row = table_meant(command.board, authority)
        may = authority.may_act_at(row) if row is not None else authority.may_act
    elif isinstance(command, _OF_A_READER):
        may = authority.may_act or (is_known and authority.is_proved and authority.table is not None)
    elif isinstance(command, _OF_AN_ACCOUNT):
        may = authority.may_act or _is_about_answered(command, authority)
    elif isinstance(command, _OF_ONESELF):
        is_change = command.changes if isinstance(command, commands.Limit) else command.wanted is not None
        may = authority.may_act if is_change else is_known
    else:
        return Right.NOW
    if may:
        return Right.NOW
    return Right.CONFIRM if is_known else Right.NOT


def _is_about_answered(command: Command, authority: Authority) -> bool:
    """Whether the command only unsubscribes from what the mail answers, for which any proof of the sender is
    enough."""
    answered = authority.table
    known = ("", answered.code, str(answered.number)) if answered else ("",)
    is_unsubscribing = isinstance(command, commands.Unsubscribe) and command.board.code in known
    return is_unsubscribing and authority.guest is not None and authority.is_proved


@dataclass(frozen=True)
class CommandResult:
    """A command's part of the answer."""

    blocks: tuple[Block, ...] = ()
    boards: tuple[tuple[str, str], ...] = ()
    """Codes of tables whose state the answer shows, each with a sentence about it, or ""."""
    confirmation: int | None = None
    """The primary key of the confirmation that a reply to the answer would give."""
    is_problem: bool = False
    about: str = ""
    """The code of the table that a reply to the answer may act at without naming it."""

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data."""
        return {
            "blocks": [
                [block.text, block.html, [[each.cid, each.svg, each.alt] for each in block.pictures]]
                for block in self.blocks
            ],
            "boards": [list(board) for board in self.boards],
            "confirmation": self.confirmation,
            "is_problem": self.is_problem,
            "about": self.about,
        }

    @staticmethod
    def from_json(data: dict[str, Any]) -> "CommandResult":
        """The inverse of `to_json`."""
        return CommandResult(
            tuple(
                Block(text, html, tuple(Picture(*each) for each in pictures))
                for text, html, pictures in data["blocks"]
            ),
            tuple((code, note) for code, note in data["boards"]),
            data["confirmation"],
            data["is_problem"],
            data["about"],
        )


def text_result(*sentences: str) -> CommandResult:
    """A result that is one paragraph, in the active language."""
    return CommandResult((sentence_block(*map(translate, sentences), say=translate),))


def board_result(code: str, note: str = "") -> CommandResult:
    """A result that shows a board, with a sentence about it."""
    return CommandResult(boards=((code, translate(note)),))


def boards_of(results: Iterable[CommandResult]) -> dict[str, str]:
    """The boards of some results: code -> all notes about it."""
    boards: dict[str, str] = {}
    for result in results:
        for code, note in result.boards:
            boards[code] = " ".join(filter(None, (boards.get(code, ""), note)))
    return boards
