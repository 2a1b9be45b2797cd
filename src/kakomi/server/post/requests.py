"""A command of a mail: all that doing it needs, whether its sender may do it, and its result."""

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
from kakomi.server.language import translate
from kakomi.server.post.authority import Authority
from kakomi.server.post.models import ReceivedMail
from kakomi.server.tables import models as tables
from kakomi.server.tables import selectors
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused, Table

AT_A_BOARD = get_args(commands.TableCommand)
_OF_AN_ACCOUNT = (commands.Challenge, commands.Message, commands.Unsubscribe)
_OF_A_READER = (commands.Seek, commands.StopSeeking, commands.Subscribe)
"""What an answer to any board's mail may do at once: what comes of it is mailed to the same reader, and is
undone as easily."""
_OF_ONESELF = (commands.Notify, commands.Limit)


class Right(Enum):
    """Whether somebody may do something by mail."""

    NOW = "now"
    CONFIRM = "confirm"
    """Once they have confirmed it."""
    NOT = "not"
    """Nothing says who they are."""


@dataclass(frozen=True)
class Request:
    """A command of a mail."""

    mail: ReceivedMail
    number: int
    """Its place in the mail, from 0."""
    authority: Authority
    command: Command
    remark: str = ""
    """What stands below it, if it is the last of the mail."""

    @property
    def key(self) -> str:
        """By this it is done once, however often. A colon is in no key that a page or a program can send."""
        return f"mail:{self.mail.key[:32]}:{self.number}"

    @property
    def guest(self) -> Guest:
        """Whoever gives it. Raises Refused if nobody knows."""
        if self.authority.guest is None:
            raise Refused(WHO_ARE_YOU)
        return self.authority.guest

    def table(self, board: Board) -> tables.Table:
        """The table that is meant. Raises Refused if there is none."""
        row = table_meant(board, self.authority)
        if row is None and board.code:
            raise Refused(_no_board(board.code))
        if row is None:
            raise Refused(lazy_message("say which board you mean: its number stands in the mails about it"))
        return row


WHO_ARE_YOU = lazy_message(
    "nothing shows who you are: answer a mail of this site, or if you are new, write signup and a name; a"
    " password in a mail is never asked for, and never looked at"
)


@dataclass(frozen=True)
class Sitting:
    """Somebody at a table, as the table stands."""

    row: tables.Table
    table: Table
    viewer: Viewer

    @staticmethod
    def of(row: tables.Table, guest: Guest | None) -> "Sitting":
        """A guest at a table; also one who only watches."""
        return Sitting(row, selectors.table_of(row), Viewer.of(row, guest))


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
    return selectors.numbered(int(board.code)).filter(may_see).first()


def is_number(board: Board) -> bool:
    """Whether a board is named by its number."""
    return board.code.isdecimal() and len(board.code) < tables.CODE_LENGTH


def _no_board(code: str) -> str:
    if is_number(Board(code)):
        return lazy_message("there is no board {code} of yours, and none that everybody may see", code=code)
    return lazy_message("there is no board {code}", code=code)


def right_to(command: Command, authority: Authority) -> Right:
    """Whether the sender of a mail may do something."""
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
    """Whether it only stops the mails of the kind that it answers: for that the address that they have will
    do."""
    answered = authority.table
    known = ("", answered.code, str(answered.number)) if answered else ("",)
    is_unsubscribing = isinstance(command, commands.Unsubscribe) and command.board.code in known
    return is_unsubscribing and authority.guest is not None and authority.is_proved


@dataclass(frozen=True)
class Result:
    """What an answer says of a command."""

    blocks: tuple[Block, ...] = ()
    boards: tuple[tuple[str, str], ...] = ()
    """Codes of tables that the answer shows as they stand then, each with a sentence about it, or ""."""
    confirmation: int | None = None
    """The number of what an answer to the answer would confirm."""
    is_problem: bool = False
    about: str = ""
    """The code of the table at which an answer to the answer may act without naming it."""

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
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
    def from_json(data: dict[str, Any]) -> "Result":
        """A result from what `to_json` gave."""
        return Result(
            tuple(
                Block(text, html, tuple(Picture(*each) for each in pictures))
                for text, html, pictures in data["blocks"]
            ),
            tuple((code, note) for code, note in data["boards"]),
            data["confirmation"],
            data["is_problem"],
            data["about"],
        )


def said(*sentences: str) -> Result:
    """A paragraph, in the language that is spoken."""
    return Result((sentence_block(*map(translate, sentences), say=translate),))


def shown(code: str, note: str = "") -> Result:
    """A board, with a sentence about it."""
    return Result(boards=((code, translate(note)),))


def boards_of(results: Iterable[Result]) -> dict[str, str]:
    """All boards of some results, each once, with what was said of it."""
    boards: dict[str, str] = {}
    for result in results:
        for code, note in result.boards:
            boards[code] = " ".join(filter(None, (boards.get(code, ""), note)))
    return boards
