"""The commands of play by mail, as typed values. Who may give them, and what they do, is the site's matter.

A board is named by its number, by its code, or by nothing: then it is the one that the mail answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kakomi.session import TimeControl
from kakomi.session.events import OfferKind

Which = Literal["", "all", "active", "finished", "next"]
"""Which of somebody's boards: those being played, if nothing is said; `next` are those that wait for them."""


@dataclass(frozen=True)
class Board:
    """A board as a command names it."""

    code: str = ""
    """The table's number, its code in lower case, or a challenge's; "": the board that the mail answers."""
    turns: int | None = None
    """What stood behind `#`: how many turns the sender says have been finished in the match (`turns_in`).
    None if nothing was said."""


@dataclass(frozen=True)
class Terms:
    """What a challenge or a seek asks for, checked against the game's description."""

    game: str
    options: dict[str, int]
    """All options of the game, defaults filled in, the number of players among them where the game has it."""
    games: int = 1
    """The number of games of the match."""
    negotiate: bool = False
    swap: bool = False
    time: TimeControl | None = None
    """The time control; None: nothing was said, so the site's usual one for games over days."""
    is_rated: bool | None = None
    """None: nothing was said."""
    leavers: str = ""
    """The level of the bot that goes on for who leaves, among three or more."""
    nag: float = 0.0
    """After so many seconds of a turn its player is reminded; 0: when it is usual."""


@dataclass(frozen=True)
class Help:
    """Explain the whole, a command, or a game with its rules. Needs no right."""

    topics: tuple[str, ...] = ()
    """Each the full name of a command or of a game; empty: the whole."""


@dataclass(frozen=True)
class SignUp:
    """Ask for an account for the address that writes. Needs no right."""

    name: str
    """"": none was written."""


@dataclass(frozen=True)
class Challenge:
    """Ask people for a game; their number, with the challenger, is the game's number of players."""

    terms: Terms
    people: tuple[str, ...]


@dataclass(frozen=True)
class Seek:
    """Wait in the lobby for opponents."""

    terms: Terms
    times: int = 1
    """For how many games, each with other people."""


@dataclass(frozen=True)
class StopSeeking:
    """Withdraw one's seeks."""

    game: str = ""
    """Those of this game; "": all of them."""


@dataclass(frozen=True)
class Move:
    """Play a whole turn. A pass is one too, where the game has it.

    In the text are what the sender wrote for the actions; `read_turn` makes actions of it, once the caller
    has the position.
    """

    board: Board
    text: str


@dataclass(frozen=True)
class NameKomi:
    """Name the komi, where it is negotiated."""

    board: Board
    komi: int


@dataclass(frozen=True)
class ChooseColour:
    """Choose a colour after the komi was named."""

    board: Board
    player: int
    """0 for the game's first colour, 1 for its second."""


@dataclass(frozen=True)
class Swap:
    """Swap colours instead of playing."""

    board: Board


@dataclass(frozen=True)
class Resign:
    """Give the game up; before everybody has begun the caller may end it instead."""

    board: Board


@dataclass(frozen=True)
class Propose:
    """Offer a draw, a takeback or a pause to the others, or ask to let the clocks run again."""

    board: Board
    offer: OfferKind


@dataclass(frozen=True)
class Withdraw:
    """Take back one's own offer, or one's challenge."""

    board: Board


@dataclass(frozen=True)
class Accept:
    """Say yes to the open offer of a board, or to a challenge of that code."""

    board: Board


@dataclass(frozen=True)
class Reject:
    """Say no to the open offer of a board, or to a challenge of that code."""

    board: Board


@dataclass(frozen=True)
class Queue:
    """Keep a turn that is played as soon as it is the sender's turn, if it is legal then."""

    board: Board
    text: str
    """As in `Move`."""


@dataclass(frozen=True)
class Unqueue:
    """Drop the turn that is kept."""

    board: Board


@dataclass(frozen=True)
class Preview:
    """Show what a board would look like after turns of anybody's. Needs no right beyond seeing the board.

    `board.turns` says after which turn to begin; None: now.
    """

    board: Board
    text: str
    """Turns one after the other, as in `Move`; `read_turns` makes actions of it."""


@dataclass(frozen=True)
class PreviewNew:
    """Show a game from its start after turns. Needs no right."""

    terms: Terms
    text: str


@dataclass(frozen=True)
class Submit:
    """Show a turn, and keep it until `Confirm` plays it."""

    board: Board
    text: str


@dataclass(frozen=True)
class Confirm:
    """Play the turn that was submitted."""

    board: Board


@dataclass(frozen=True)
class Show:
    """Show boards: by their codes, or those of people. A word of ten letters and digits may be either, so the
    caller looks for a board of that code first."""

    names: tuple[Board | str, ...] = ()
    """Boards, after `board.turns` turns if that is given, and names of people; empty: the sender's boards."""
    which: Which = ""
    game: str = ""
    """Of people only the boards of this game; "": of all games."""


@dataclass(frozen=True)
class Games:
    """List somebody's boards, each in a line."""

    person: str = ""
    """"": the sender."""
    game: str = ""
    which: Which = ""


@dataclass(frozen=True)
class ListBoards:
    """List who plays what: the open boards that everybody may see, and the seeks that wait."""

    game: str = ""


@dataclass(frozen=True)
class ListGames:
    """List the games that can be played, with their parameters. Needs no right."""


@dataclass(frozen=True)
class Standings:
    """The ratings of a game's players."""

    game: str = ""
    """"": those of all games."""
    people: tuple[str, ...] = ()
    """Of these alone; empty: the best."""


@dataclass(frozen=True)
class History:
    """All turns of a board, or the finished games of somebody."""

    of: Board | str = ""
    """A board, or the name of a person; "": the board that the mail answers, else the sender's games."""


@dataclass(frozen=True)
class Chat:
    """Say something at a board."""

    board: Board
    text: str


@dataclass(frozen=True)
class Message:
    """Write to people."""

    people: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Subscribe:
    """Get every turn of a board by mail, as somebody who watches."""

    board: Board


@dataclass(frozen=True)
class Unsubscribe:
    """Get no more turns of a board; without a board no mail of the kind that was answered."""

    board: Board


@dataclass(frozen=True)
class Notify:
    """Choose what is told by mail; without a topic show what is chosen."""

    topic: str = ""
    """One of `TOPICS`; "": all of them if `wanted` is given."""
    wanted: bool | None = None


TOPICS = ("turns", "reminders", "results", "challenges", "seeks", "chat", "digest")
"""What somebody may be told by mail: that it is their turn, that time runs out, how games end, challenges,
new seeks of games that they play, what is said at their boards, and all of it together once a day."""


@dataclass(frozen=True)
class Limit:
    """Choose how many games somebody may be drawn into; without a change show what is chosen."""

    game: str = ""
    """"": all games."""
    changes: bool = False
    most: int | None = None
    """At most so many at once; 0: no challenges at all; None: no limit."""


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
"""A command for who sits at a board; a reply's remark goes to the board of the last of these."""
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
    """One line of a mail that was meant as a command."""

    line: str
    """As it was written, at most 200 characters of it."""
    command: Command | None
    """None if it could not be read."""
    problem: str = ""
    """Why it could not be read, a `LazyMessage`; "" if it could."""
    notes: tuple[str, ...] = ()
    """What the sender should be told besides, each a `LazyMessage`: that no password is wanted, say."""


@dataclass(frozen=True)
class ParsedMail:
    """What a mail wants, in the order in which it wants it."""

    lines: tuple[ParsedLine, ...]
    """Empty if there was nothing that could be meant as a command."""
    remark: str = ""
    """What was written below the commands, for those at the board; "" if there was nothing."""

    @property
    def commands(self) -> tuple[Command, ...]:
        """Those that could be read."""
        return tuple(line.command for line in self.lines if line.command is not None)


def _knows_nobody(names: Sequence[str]) -> bool:
    return not names


def _plays_nowhere(_number: str) -> bool:
    return False


@dataclass(frozen=True)
class ReplyContext:
    """What the caller could tell of a mail's sender, from its address, and of what it answers.

    With a table a command needs no board, and a bare turn is a move.
    """

    code: str = ""
    """The table's code; "": the mail answers no board."""
    phase: Literal["komi", "colour", "play", "over"] = "play"
    """What is wanted next there: a bare number is a komi in the first of these, a bare colour a choice in
    the second."""
    game: str = ""
    """The table's game, for what can be read only with it; "": unknown."""
    has_offer: bool = False
    """Whether an offer is open there: then a bare `yes` or `no` answers it."""
    names: tuple[str, ...] = ()
    """What the sender signs in as. A password is looked for behind one of these alone."""
    knows: Callable[[Sequence[str]], bool] = _knows_nobody
    """Whether all these names are those of people."""
    plays_at: Callable[[str], bool] = _plays_nowhere
    """Whether the sender plays at the board of this number."""

    def is_sender(self, word: str) -> bool:
        """Whether a word is what the sender signs in as."""
        return word.casefold() in (name.casefold() for name in self.names)
