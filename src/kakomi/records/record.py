"""The data model of records: a tree of turns with comments and variations, and the terms of the game.

Texts by users are made safe to print in a terminal. The module also defines the errors and warnings of files.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kakomi.core.i18n import LazyMessage, lazy_error, lazy_message, winners_in_words
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.returns import share_returns

_CONTROL = r"\x00-\x09\x0b-\x1f\x7f-\x9f"
_HALVES = r"\ud800-\udfff"

LINE = rf"^[^\n{_CONTROL}{_HALVES}]*(?![\s\S])"
TEXT = rf"^[^{_CONTROL}{_HALVES}]*(?![\s\S])"
WORD = rf"^[^\s{_CONTROL}{_HALVES}]+(?![\s\S])"
IN_WORDS = {
    LINE: _("one line without control characters"),
    TEXT: _("text without control characters other than line feeds"),
    WORD: _("a word, without spaces"),
}
"""Pattern of the format -> its description."""

Line = Annotated[str, Meta(max_length=1000, pattern=LINE)]
Text = Annotated[str, Meta(pattern=TEXT)]
Word = Annotated[str, Meta(max_length=100, pattern=WORD)]

_LINE_END = re.compile(r"\r\n|\n\r|\r")


def tidy(text: str) -> str:
    """Turn any string into a `Text`: line ends become line feeds, other control characters spaces."""
    text = re.sub(f"[{_CONTROL}]", " ", _LINE_END.sub("\n", text))
    return re.sub(f"[{_HALVES}]", "\N{REPLACEMENT CHARACTER}", text)


def tidy_line(text: str) -> str:
    """Turn any string into a `Line`, without shortening it."""
    return tidy(text).replace("\n", " ")


_LONGEST = 400
MOST_ACTIONS = 100_000
"""The maximum number of actions in a record, variations included; no real game has more."""


class RecordError(ValueError):
    """A record that is malformed or illegal. The message names the place and the reason.

    It is one line of limited length without control characters, whatever the file contains.
    """

    def __init__(self, message: str) -> None:
        line = tidy_line(message)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        super().__init__(message if message == line else line)


class RecordWarning(UserWarning):
    """A warning that part of a file was ignored or had to be guessed; the rest was read."""


@dataclass
class Reading:
    """The limits, costs and warnings of reading one file.

    Work is counted as it is done, so that reading stops as soon as a limit is exceeded.
    """

    most_parts: int = 500_000
    """The maximum number of nodes and values of an SGF file."""
    most_actions: int = MOST_ACTIONS
    parts: int = 0
    actions: int = 0
    played: int = 0
    """The number of actions played by the rules."""
    warnings: list[str] = field(default_factory=list)
    """Sentences about parts of the file that were ignored or had to be guessed."""

    def warn(self, message: LazyMessage) -> None:
        """Add a warning, made safe to print like an error."""
        self.warnings.append(*RecordError(message).args)

    def expect_actions(self, count: int) -> None:
        """Set the number of actions so far. Raises RecordError if there are too many."""
        self.actions = count
        if count > self.most_actions:
            most = self.most_actions
            raise RecordError(lazy_message("the record holds more than {most:,} actions", most=most))

    def expect_parts(self, count: int) -> None:
        """Set the number of nodes and values so far. Raises RecordError if there are too many."""
        self.parts = count
        if count > self.most_parts:
            most = self.most_parts
            raise lazy_error(RecordError, "the SGF file holds more than {most:,} nodes and values", most=most)


def located(place: str, reason: str) -> RecordError:
    """Make an error that starts with a place, a field or a turn."""
    return RecordError(lazy_message("{where}: {reason}", where=place, reason=reason))


def wrong_game(game: str, wanted: str) -> LazyMessage:
    """Return the error message for a record of another game."""
    return lazy_message("the record is of {game}, not of {wanted}", game=game, wanted=wanted)


def reason_of(error: Exception) -> str:
    """Return the message of an error, still translatable if it was before."""
    words = error.args[0] if len(error.args) == 1 else None
    return words if isinstance(words, str) else str(error)


Seconds = Annotated[float, Meta(ge=0, le=1e9)]
"""A time in seconds, rounded to milliseconds."""
Player = Annotated[int, Meta(ge=0, le=63)]


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The actions of one turn of a player. The last turn of a line may be unfinished."""

    after: Annotated[int, Meta(ge=0)] | None = None
    """The number of the turn that it follows, 0 for the start; None: the turn listed before it."""
    player: Player
    actions: Annotated[tuple[Word, ...], Meta(min_length=1)]
    seconds: Seconds | None = None
    """The player's thinking time, in seconds."""
    clock: Seconds | None = None
    """The time left on the player's clock after the turn."""
    comment: Text = ""

    def __post_init__(self) -> None:
        for name in ("seconds", "clock"):
            if isinstance(time := getattr(self, name), float):
                force_setattr(self, name, round(time, 3))


class Tree:
    """The tree of turns. Turn n is the nth of the list, counted from 1, and 0 is the start.

    The first turn that follows another continues its line; the others are variations. Methods use loops, not
    recursion, because a game may have thousands of turns.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Build the tree. Raises RecordError if a turn follows one that isn't listed before it."""
        self.before = [0]
        """Turn number -> number of the turn that it follows."""
        self.followers: list[list[int]] = [[]]
        """Turn number -> numbers of the turns that follow it."""
        for number, turn in enumerate(turns, 1):
            before = number - 1 if turn.after is None else turn.after
            if not 0 <= before < number:
                wrong = lazy_message("{number} isn't an earlier turn", number=before)
                raise located(f"turns[{number - 1}].after", wrong)
            self.before.append(before)
            self.followers.append([])
            self.followers[before].append(number)

    def line_to(self, number: int) -> list[int]:
        """Return the turns from the first to this one."""
        line = []
        while number:
            line.append(number)
            number = self.before[number]
        return line[::-1]

    @property
    def main_line(self) -> list[int]:
        """The turns of the game itself, without variations."""
        line = []
        number = 0
        while self.followers[number]:
            number = self.followers[number][0]
            line.append(number)
        return line

    @property
    def preorder(self) -> list[int]:
        """All turns; each line comes before the variations from it, the latest variation first."""
        order = []
        waiting = self.followers[0][::-1]
        while waiting:
            number = waiting.pop()
            order.append(number)
            waiting.extend(reversed(self.followers[number]))
        return order


def in_order(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the same tree in canonical order: preorder, with `after` only where it is needed.

    Raises RecordError if the turns don't form a tree.
    """
    tree = Tree(turns)
    renumbered = {0: 0}
    listed = []
    for place, number in enumerate(tree.preorder, 1):
        renumbered[number] = place
        before = renumbered[tree.before[number]]
        listed.append(_following(turns[number - 1], None if before == place - 1 else before))
    return tuple(listed)


def _following(turn: Turn, after: int | None) -> Turn:
    return turn if turn.after == after else replace(turn, after=after)


VERSION = 1
"""The version of the format, increased whenever an older program could misread a new file."""

MOST_PLAYERS = 64
PER_PLAYER = Meta(max_length=MOST_PLAYERS)
Count = Annotated[int, Meta(ge=0)]
PositionText = Annotated[str, Meta(max_length=10_000, pattern=LINE)]
Reason = Literal["rules", "resignation", "time", "forfeit", "agreement", "counted"]


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player: a person, or a bot if `bot` is given."""

    name: Line = ""
    bot: Line = ""


class Negotiation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option that one player named before the other chose a player number (RULES L5)."""

    option: Word
    value: int
    named_by: Player
    """The player number of the one who named the option."""
    chosen_by: Player
    """The player number that the other chose."""


class Match(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place of this game in a match of several games (RULES N11)."""

    game: Annotated[int, Meta(ge=1)]
    games: Annotated[int, Meta(ge=1)]
    points: Annotated[tuple[int | float, ...], PER_PLAYER]
    """The points of each player from earlier games."""


class Resignation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's resignation after a number of turns. If a game of three or more players continues, their
    later turns are automatic passes (RULES G8)."""

    player: Player
    after: Count


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a game ended. A draw has all players as winners.

    `reason` is "rules", "resignation", "time", "forfeit", "agreement" (a draw agreed on) or "counted"
    (cut off and decided by the scores, RULES N12).
    """

    reason: Reason
    winners: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=MOST_PLAYERS)]
    scores: Annotated[tuple[int | float, ...], PER_PLAYER] = ()
    """The scores by the rules at the end of the game."""

    def in_words(self, players: Sequence[str]) -> str:
        """Return who won and why, as a sentence without a full stop, with the players' names."""
        won = winners_in_words([lazy_message(players[player]) for player in self.winners], len(players))
        match self.reason:
            case "rules":
                return won
            case "resignation":
                return lazy_message("{won} by resignation", won=won)
            case "time":
                return lazy_message("{won} on time", won=won)
            case "forfeit":
                return lazy_message("{won} by forfeit", won=won)
            case "agreement":
                return lazy_message("{won} by agreement", won=won)
            case "counted":
                return lazy_message("{won} on points when the game was stopped", won=won)

    def returns(self, players: int) -> list[float]:
        """Return the return of each player: +1 for a sole win; they sum to 0."""
        out = [0.0] * players
        share_returns([player in self.winners for player in range(players)], players, out)
        return out


class Record(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    dict=True,
    tag_field="kakomi_record",
    tag=VERSION,
):
    """The record of a game: its terms, every turn, and its ending.

    It is immutable. Records with the same tree of turns are equal, whatever order the turns were given in.
    Raises RecordError if the turns don't form a tree; `checked` checks a record against the rules.
    """

    game: Word
    options: Annotated[dict[Word, int], PER_PLAYER] = {}
    position: PositionText = ""
    """The start position, as `str(position)` writes it; empty: the game's own start."""
    seats: Annotated[tuple[Seat, ...], PER_PLAYER] = ()
    """One per player, or empty if nothing is known about them."""
    event: Line = ""
    date: Line = ""
    """The day it was played, usually in ISO 8601."""
    negotiation: Negotiation | None = None
    swapped_after: Count | None = None
    """The number of turns after which the two players exchanged seats, which isn't part of any game's rules
    (RULES V7); `seats` is the order from then on."""
    match: Match | None = None
    resignations: Annotated[tuple[Resignation, ...], PER_PLAYER] = ()
    result: Result | None = None
    """None for an unfinished game."""
    comment: Text = ""
    """A comment on the game or its start position."""
    turns: tuple[Turn, ...] = ()
    """The game's own turns, then the variations, as `Tree` numbers them."""

    def __post_init__(self) -> None:
        force_setattr(self, "turns", in_order(self.turns))

    @cached_property
    def tree(self) -> Tree:
        """The tree of turns."""
        return Tree(self.turns)

    @cached_property
    def length(self) -> int:
        """The number of turns in the main line; they are numbered from 1."""
        return len(self.tree.main_line)

    def with_turn(self, turn: Turn, after: int | None = None) -> "Record":
        """Return the record with one more turn, by default at the end of the game.

        A second turn after the same one starts a variation. The numbers of turns in variations may change.
        """
        following = replace(turn, after=self.length if after is None else after)
        return replace(self, turns=(*self.turns, following))

    def with_comment(self, comment: str, number: int) -> "Record":
        """Return the record with a new comment on a turn, or on the start (0)."""
        if number == 0:
            return replace(self, comment=comment)
        turns = list(self.turns)
        turns[number - 1] = replace(turns[number - 1], comment=comment)
        return replace(self, turns=tuple(turns))
