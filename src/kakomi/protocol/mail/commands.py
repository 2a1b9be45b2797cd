"""The commands of play by mail, as typed values. The site checks permissions and executes them.

A command names a board by its number or its code. Without either it means the board that the email answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kakomi.session import TimeControl
from kakomi.session.events import OfferKind

BoardFilter = Literal["", "all", "active", "finished", "next"]
"""A filter of a person's boards: "" means those being played, `next` those where the person is to act."""


@dataclass(frozen=True)
class Board:
    """A board as a command names it."""

    code: str = ""
    """The table's number or code, or a challenge's code; "": the board that the email answers."""
    turns: int | None = None
    """The number after `#`: how many turns the sender thinks are finished in the match (`turns_in`). None
    if there was none."""


@dataclass(frozen=True)
class Terms:
    """The terms of a challenge or a seek, checked against the game's description."""

    game: str
    options: dict[str, int]
    """All options of the game with defaults filled in, including the number of players if it is an option."""
    games: int = 1
    """The number of games of the match."""
    negotiate: bool = False
    swap: bool = False
    time: TimeControl | None = None
    """None: not given, so the site's default for games played over days."""
    is_rated: bool | None = None
    """None: not given."""
    leavers: str = ""
    """The level of the bot that takes over from a player who leaves a game of three or more."""
    nag: float = 0.0
    """How many seconds into a turn its player is reminded; 0: the default."""


@dataclass(frozen=True)
class Help:
    """Explain play by mail, a command, or a game with its rules. Needs no permission."""

    topics: tuple[str, ...] = ()
    """Full names of commands and games; empty: an overview."""


@dataclass(frozen=True)
class SignUp:
    """Request an account for the sender's address. Needs no permission."""

    name: str
    """"": none was given."""


@dataclass(frozen=True)
class Challenge:
    """Challenge people to a game; they and the challenger are all its players."""

    terms: Terms
    people: tuple[str, ...]


@dataclass(frozen=True)
class Seek:
    """Wait in the lobby for opponents."""

    terms: Terms
    times: int = 1
    """The number of games, each with different opponents."""


@dataclass(frozen=True)
class StopSeeking:
    """Withdraw the sender's seeks."""

    game: str = ""
    """Those of this game; "": all of them."""


@dataclass(frozen=True)
class Move:
    """Play a whole turn, which may be a pass if the game has one.

    `text` holds the actions as the sender wrote them; `read_turn` reads it, given the position.
    """

    board: Board
    text: str


@dataclass(frozen=True)
class NameKomi:
    """Name the komi, if it is negotiated."""

    board: Board
    komi: int


@dataclass(frozen=True)
class ChooseColour:
    """Choose a colour after the komi has been named."""

    board: Board
    player: int
    """0 for the game's first colour, 1 for its second."""


@dataclass(frozen=True)
class Swap:
    """Swap colours instead of playing."""

    board: Board


@dataclass(frozen=True)
class Resign:
    """Resign; if not everybody has begun, the caller may abort the game instead."""

    board: Board


@dataclass(frozen=True)
class Propose:
    """Offer the others a draw, a takeback or a pause, or to resume the clocks."""

    board: Board
    offer: OfferKind


@dataclass(frozen=True)
class Withdraw:
    """Withdraw the sender's own offer or challenge."""

    board: Board


@dataclass(frozen=True)
class Accept:
    """Accept the open offer at a board, or the challenge with that code."""

    board: Board


@dataclass(frozen=True)
class Reject:
    """Reject the open offer at a board, or the challenge with that code."""

    board: Board


@dataclass(frozen=True)
class Queue:
    """Queue a turn, to be played as soon as it is the sender's turn if it is legal then."""

    board: Board
    text: str
    """As in `Move`."""


@dataclass(frozen=True)
class Unqueue:
    """Drop the queued turn."""

    board: Board


@dataclass(frozen=True)
class Preview:
    """Show a board as it would be after turns of any players. Needs only permission to see the board.

    `board.turns` is the turn after which to begin; None: the latest.
    """

    board: Board
    text: str
    """Consecutive turns, as in `Move`; `read_turns` reads them."""


@dataclass(frozen=True)
class PreviewNew:
    """Show a new game after turns. Needs no permission."""

    terms: Terms
    text: str


@dataclass(frozen=True)
class Submit:
    """Show a turn, and keep it until `Confirm` plays it."""

    board: Board
    text: str


@dataclass(frozen=True)
class Confirm:
    """Play the submitted turn."""

    board: Board


@dataclass(frozen=True)
class Show:
    """Show boards, by their codes or by their players. A word of ten letters and digits may be either, so the
    caller looks for a board with that code first."""

    names: tuple[Board | str, ...] = ()
    """Boards, each after its `turns` if given, and names of people; empty: the sender's boards."""
    which: BoardFilter = ""
    game: str = ""
    """Limits people's boards to this game; "": all games."""


@dataclass(frozen=True)
class Games:
    """List a person's boards, one per line."""

    person: str = ""
    """"": the sender."""
    game: str = ""
    which: BoardFilter = ""


@dataclass(frozen=True)
class ListBoards:
    """List the public boards being played and the open seeks."""

    game: str = ""


@dataclass(frozen=True)
class ListGames:
    """List the games that can be played, with their parameters. Needs no permission."""


@dataclass(frozen=True)
class Standings:
    """Show the ratings of a game's players."""

    game: str = ""
    """"": all games."""
    people: tuple[str, ...] = ()
    """Only these people; empty: the best."""


@dataclass(frozen=True)
class History:
    """Show all turns of a board, or a person's finished games."""

    of: Board | str = ""
    """A board, or a person's name; "": the board that the email answers, else the sender's games."""


@dataclass(frozen=True)
class Chat:
    """Send a chat message to a board."""

    board: Board
    text: str


@dataclass(frozen=True)
class Message:
    """Send people a private message."""

    people: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Subscribe:
    """Receive every turn of a board by email, as a viewer."""

    board: Board


@dataclass(frozen=True)
class Unsubscribe:
    """Stop the emails about a board's turns; without a board, emails of the kind that was answered."""

    board: Board


@dataclass(frozen=True)
class Notify:
    """Choose the topics of emails; without arguments show the present choice."""

    topic: str = ""
    """One of `TOPICS`; "": all of them if `wanted` is given."""
    wanted: bool | None = None


TOPICS = ("turns", "reminders", "results", "challenges", "seeks", "chat", "digest")
"""What people can be notified of by email: their turns, time running out, results of games, challenges,
new seeks for games that they play, chat at their boards, and a daily digest of it all."""


@dataclass(frozen=True)
class Limit:
    """Limit the games into which the sender can be challenged; without `changes` show the limits."""

    game: str = ""
    """"": all games."""
    changes: bool = False
    most: int | None = None
    """The most games at once; 0: no challenges; None: no limit."""


TableCommand: TypeAlias = (
    Move
    | NameKomi
    | ChooseColour
    | Swap
    | Resign
    | Propose
    | Withdraw
    | Accept
    | Reject
    | Queue
    | Unqueue
    | Submit
    | Confirm
    | Chat
)
"""A command for a board's players; a reply's remark goes to the board of the last of these."""
Command: TypeAlias = (
    TableCommand
    | Help
    | SignUp
    | Challenge
    | Seek
    | StopSeeking
    | Preview
    | PreviewNew
    | Show
    | Games
    | ListBoards
    | ListGames
    | Standings
    | History
    | Message
    | Subscribe
    | Unsubscribe
    | Notify
    | Limit
)


@dataclass(frozen=True)
class ParsedLine:
    """One line of an email that was meant as a command."""

    line: str
    """As written, cut to 200 characters."""
    command: Command | None
    """None if it could not be read."""
    problem: str = ""
    """Why it could not be read, a `LazyMessage`; "" if it could."""
    notes: tuple[str, ...] = ()
    """Further notes for the sender, each a `LazyMessage`, such as that no password is needed."""


@dataclass(frozen=True)
class ParsedMail:
    """The commands of an email, in order, and its remark."""

    lines: tuple[ParsedLine, ...]
    """Empty if nothing could be meant as a command."""
    remark: str = ""
    """The text around the commands, for the people at the board; "" if there was none."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands that could be read."""
        return tuple(line.command for line in self.lines if line.command is not None)


def _are_none_people(names: Sequence[str]) -> bool:
    return not names


def _plays_nowhere(_number: str) -> bool:
    return False


@dataclass(frozen=True)
class ReplyContext:
    """What the caller found out about an email's sender, from the address, and about the board it answers.

    If it answers a board, a command need not name one, and a bare turn is a move.
    """

    code: str = ""
    """The table's code; "": the email answers no board."""
    phase: Literal["komi", "colour", "play", "over"] = "play"
    """What is expected next there: in "komi" a bare number names the komi, and in "colour" a bare colour
    chooses one."""
    game: str = ""
    """The table's game, which some commands need to be read; "": unknown."""
    has_offer: bool = False
    """Whether an offer is open there, which a bare `yes` or `no` answers."""
    names: tuple[str, ...] = ()
    """The names that the sender signs in with. Passwords are only looked for after one of these."""
    are_people: Callable[[Sequence[str]], bool] = _are_none_people
    """Whether all these names belong to people on the site."""
    plays_at: Callable[[str], bool] = _plays_nowhere
    """Whether the sender plays at the board with this number."""

    def is_sender(self, word: str) -> bool:
        """Return whether the sender signs in with this word."""
        return word.casefold() in (name.casefold() for name in self.names)
