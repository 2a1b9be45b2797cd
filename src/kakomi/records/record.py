"""A game as it was played, with comments and variations: turns, which make a tree, and the terms around them.
Texts by people are made safe to print in a terminal. Warnings and errors say what is wrong with a file or a
record.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.returns import share_returns
from kakomi.core.wording import winners_in_words

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
"""The patterns of the format."""

Line = Annotated[str, Meta(max_length=1000, pattern=LINE)]
Text = Annotated[str, Meta(pattern=TEXT)]
Word = Annotated[str, Meta(max_length=100, pattern=WORD)]

_LINE_END = re.compile(r"\r\n|\n\r|\r")


def tidy(text: str) -> str:
    """Any string as a `Text`: line ends become line feeds, other control characters spaces."""
    text = re.sub(f"[{_CONTROL}]", " ", _LINE_END.sub("\n", text))
    return re.sub(f"[{_HALVES}]", "\N{REPLACEMENT CHARACTER}", text)


def tidy_line(text: str) -> str:
    """Any string as a `Line`, except that it isn't shortened."""
    return tidy(text).replace("\n", " ")


_LONGEST = 400
MOST_ACTIONS = 100_000
"""The most in a record, variations included; no real game has more."""


class RecordError(ValueError):
    """A record that is malformed or illegal; the message names the place and the reason.

    It is one line of reasonable length without control characters, whatever the file holds.
    """

    def __init__(self, message: str) -> None:
        line = tidy_line(message)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        super().__init__(message if message == line else line)


class RecordWarning(UserWarning):
    """Something in a file was left out, or had to be guessed; the record has all the rest."""


@dataclass
class Reading:
    """One file as it is read: what that may cost and has cost, and what is to be said of it.

    Work is counted, and what costs more than it may is refused at that point, not at its end.
    """

    most_parts: int = 500_000
    """The most nodes and values of an SGF file."""
    most_actions: int = MOST_ACTIONS
    parts: int = 0
    actions: int = 0
    played: int = 0
    """The actions that were played by the rules."""
    warnings: list[str] = field(default_factory=list)
    """What was left out, or had to be guessed, each a sentence; the record has all the rest."""

    def warn(self, message: LazyMessage) -> None:
        """Note something to be said, made safe to print as errors are."""
        self.warnings.append(*RecordError(message).args)

    def expect_actions(self, count: int) -> None:
        """Note how many actions there are so far. Raises RecordError for too many."""
        self.actions = count
        if count > self.most_actions:
            most = self.most_actions
            raise RecordError(lazy_message("the record holds more than {most:,} actions", most=most))

    def expect_parts(self, count: int) -> None:
        """Note how many nodes and values there are so far. Raises RecordError for too many."""
        self.parts = count
        if count > self.most_parts:
            most = self.most_parts
            raise RecordError(
                lazy_message("the SGF file holds more than {most:,} nodes and values", most=most)
            )


def located(place: str, reason: str) -> RecordError:
    """An error with the place first, which is a field's name or a turn's."""
    return RecordError(lazy_message("{where}: {reason}", where=place, reason=reason))


def wrong_game(game: str, wanted: str) -> LazyMessage:
    """The error for a record of another game."""
    return lazy_message("the record is of {game}, not of {wanted}", game=game, wanted=wanted)


def reason_of(error: Exception) -> str:
    """The message of an error, still translatable if it was before."""
    words = error.args[0] if len(error.args) == 1 else None
    return words if isinstance(words, str) else str(error)


Seconds = Annotated[float, Meta(ge=0, le=1e9)]
"""A time in seconds, kept to the millisecond."""
Player = Annotated[int, Meta(ge=0, le=63)]


class Turn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a player did until another was to act. The last turn of a line may be unfinished."""

    after: Annotated[int, Meta(ge=0)] | None = None
    """Number of the turn it follows, 0 for the start; None: the turn listed before it."""
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
    """Which turns follow which. Turn n is the nth of the list, counted from 1, and 0 is the start.

    The first turn to follow another continues its line; the others are variations. Numbers stand in
    for nodes and loops for recursion: a game may be thousands of turns long.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        """Raises RecordError if a turn follows one that isn't listed before it."""
        self.before = [0]
        """Turn number -> number of the turn that it follows."""
        self.followers: list[list[int]] = [[]]
        """Turn number -> numbers of the turns that follow it."""
        for number, turn in enumerate(turns, 1):
            before = number - 1 if turn.after is None else turn.after
            if not 0 <= before < number:
                wrong = lazy_message("{number} is not the number of an earlier turn", number=before)
                raise located(f"turns[{number - 1}].after", wrong)
            self.before.append(before)
            self.followers.append([])
            self.followers[before].append(number)

    def line_to(self, number: int) -> list[int]:
        """The turns from the first to this one."""
        line = []
        while number:
            line.append(number)
            number = self.before[number]
        return line[::-1]

    @property
    def main_line(self) -> list[int]:
        """The turns of the game itself."""
        line = []
        number = 0
        while self.followers[number]:
            number = self.followers[number][0]
            line.append(number)
        return line

    @property
    def preorder(self) -> list[int]:
        """All turns, each line to its end before the variations from it, the latest variation first."""
        order = []
        waiting = self.followers[0][::-1]
        while waiting:
            number = waiting.pop()
            order.append(number)
            waiting.extend(reversed(self.followers[number]))
        return order


def in_order(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The same tree in the one way that records list it: in preorder, `after` only where it is needed.

    Raises RecordError if the turns make no tree.
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
"""The version of the format; it changes when an older program could misread a new file."""

MOST_PLAYERS = 64
OF_EACH = Meta(max_length=MOST_PLAYERS)
Count = Annotated[int, Meta(ge=0)]
PositionText = Annotated[str, Meta(max_length=10_000, pattern=LINE)]
Reason = Literal["rules", "resignation", "time", "forfeit", "agreement", "counted"]


class Seat(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player: a person, or a bot if `bot` is given."""

    name: Line = ""
    bot: Line = ""


class Negotiation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An option that one player named before the other chose whom to play (RULES L5)."""

    option: Word
    value: int
    named_by: Player
    """The player that the one who named it became."""
    chosen_by: Player
    """The player that the other chose to be."""


class Match(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place of this game in a match of several games (RULES N11)."""

    game: Annotated[int, Meta(ge=1)]
    games: Annotated[int, Meta(ge=1)]
    points: Annotated[tuple[int | float, ...], OF_EACH]
    """The points of each player from earlier games."""


class Resignation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player gave up after so many turns. In a game of three or more that goes on, their later
    turns are passes that the match made for them (RULES G8)."""

    player: Player
    after: Count


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a game ended. A draw has all players as winners.

    `reason` is "rules", "resignation", "time", "forfeit", "agreement" (a draw agreed on) or "counted"
    (cut off and decided by the scores, RULES N12).
    """

    reason: Reason
    winners: Annotated[tuple[Player, ...], Meta(min_length=1, max_length=MOST_PLAYERS)]
    scores: Annotated[tuple[int | float, ...], OF_EACH] = ()
    """By the rules at the end of the game."""

    def in_words(self, players: Sequence[str]) -> str:
        """Who won and why, as a sentence without its stop, by the players' names."""
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
                return lazy_message("{won} by the score, as the game was cut off", won=won)

    def returns(self, players: int) -> list[float]:
        """The return of each player: +1 for a sole win, sum 0."""
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
    """A game: what was agreed before, every turn, how it ended.

    Immutable; two records are equal if they say the same, whatever order the turns of their trees were
    given in. Raises RecordError if the turns make no tree; `checked` holds a record against the rules.
    """

    game: Word
    options: Annotated[dict[Word, int], OF_EACH] = {}
    position: PositionText = ""
    """Where it begins, as `str(position)` writes it; empty: at the game's start."""
    seats: Annotated[tuple[Seat, ...], OF_EACH] = ()
    """One for each player, or none if nothing is known of them."""
    event: Line = ""
    date: Line = ""
    """The day it was played, as a rule in ISO 8601."""
    negotiation: Negotiation | None = None
    swapped_after: Count | None = None
    """After so many turns the two players exchanged seats, which is no part of any game's rules
    (RULES V7); `seats` tells who sat where from then on."""
    match: Match | None = None
    resignations: Annotated[tuple[Resignation, ...], OF_EACH] = ()
    result: Result | None = None
    """None for a game that isn't finished."""
    comment: Text = ""
    """On the game, or on the position at its start."""
    turns: tuple[Turn, ...] = ()
    """The game's own turns, then the variations, as `Tree` numbers them."""

    def __post_init__(self) -> None:
        force_setattr(self, "turns", in_order(self.turns))

    @cached_property
    def tree(self) -> Tree:
        """Which turns follow which."""
        return Tree(self.turns)

    @cached_property
    def length(self) -> int:
        """The number of turns in the main line; they are numbered from 1."""
        return len(self.tree.main_line)

    def with_turn(self, turn: Turn, after: int | None = None) -> "Record":
        """The record with one more turn, by default at the end of the game.

        A second turn after the same one starts a variation. Numbers of variations may change.
        """
        following = replace(turn, after=self.length if after is None else after)
        return replace(self, turns=(*self.turns, following))

    def with_comment(self, comment: str, number: int) -> "Record":
        """The record with another comment on a turn, or on the start (0)."""
        if number == 0:
            return replace(self, comment=comment)
        turns = list(self.turns)
        turns[number - 1] = replace(turns[number - 1], comment=comment)
        return replace(self, turns=tuple(turns))
