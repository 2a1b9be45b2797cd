"""A game as it was played, with comments and variations."""

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr, replace

from kakomi.core.i18n import lazy_message
from kakomi.core.returns import share_returns
from kakomi.core.wording import winners_in_words
from kakomi.records.text import LINE, Line, Text, Word
from kakomi.records.turn import Player, Tree, Turn, in_order

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
