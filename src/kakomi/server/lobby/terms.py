"""The terms of a seek as data, the match that they describe, and a player's strength under them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kakomi import catalog
from kakomi.contest import FIRST
from kakomi.core import Description, Game
from kakomi.core.i18n import lazy_message, range_in_words
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings.selectors import rating_of
from kakomi.session import MatchConfig, Refused, TimeControl
from kakomi.session.time_control import Pace

PLAYERS, SIZE = "players", "size"
"""The names of the options for the number of players and the board size."""
Side = Literal["lot", "first", "last"]


@dataclass(frozen=True)
class SeekTerms:
    """The terms of the game that a seek offers. Omitted options have their defaults."""

    game: str
    control: TimeControl
    options: Mapping[str, int] = field(default_factory=dict)
    """Excludes the number of players, and the size if there are several."""
    sizes: tuple[int, ...] = ()
    """The acceptable board sizes, the preferred one first; if empty, the options determine the board."""
    is_match: bool = False
    negotiate: bool = False
    swap: bool = False
    side: Side = "lot"
    """The owner's seat; `lot` draws the seats."""
    leavers: str = ""
    """The level of the bot that replaces a leaver in a game of three or more; if empty, the seat passes."""

    @property
    def description(self) -> Description:
        """The game's description."""
        return catalog.describe(self.game)

    @property
    def pace(self) -> Pace:
        """`live` or `days`."""
        return self.control.pace

    def game_for(self, players: int) -> Game:
        """The game for this number of players. Raises ValueError for options that it doesn't have."""
        options = dict(self.options)
        if self.sizes:
            options[SIZE] = self.sizes[0]
        if has_option(self.description, PLAYERS):
            options[PLAYERS] = players
        return catalog.game(self.game, **options)

    def rating_class(self, players: int) -> str | None:
        """The board-size class in which the game is rated, or None."""
        game = self.game_for(players)
        return game.description.size_class(game.options)

    def config(self, players: int) -> MatchConfig:
        """The match for this number of players. Raises ValueError, or Refused for conflicting terms."""
        game = self.game_for(players)
        games = max(self.description.match_games, game.players) if self.is_match else 1
        leavers = self.leavers if game.players > 2 else ""
        return MatchConfig(game, games=games, negotiate=self.negotiate, swap=self.swap, leavers=leavers)

    def check_seats(self, least: int, most: int) -> None:
        """Raise Refused unless the game allows both numbers of players on each of its boards."""
        fewest, limit = seats_of(self.description)
        if least > most:
            raise Refused(
                lazy_message(
                    "a game for {most} players can’t start with at least {least}", least=least, most=most
                )
            )
        if not fewest <= least <= most <= limit:
            raise Refused(
                lazy_message(
                    "{game} is for {seats} players, not for {least} to {most}",
                    game=self.description.title,
                    seats=range_in_words(range(fewest, limit + 1)),
                    least=least,
                    most=most,
                )
            )
        try:
            for size in self.sizes or (None,):
                for players in {least, most}:
                    self.on(() if size is None else (size,)).config(players)
        except ValueError as error:
            raise Refused(*error.args) from None

    @staticmethod
    def of(game: Game, control: TimeControl, **others: Any) -> "SeekTerms":
        """The terms of a configured game. Options with their default values are omitted, so that equal wishes
        compare equal, and so is the number of players."""
        options = {
            option.name: game.options[option.name]
            for option in game.description.options
            if option.name not in (PLAYERS, SIZE)
            and game.options[option.name] != option.default_given(game.options)
        }
        sizes = (game.options[SIZE],) if SIZE in game.options else ()
        return SeekTerms(game.name, control, options, sizes, **others)

    def on(self, sizes: tuple[int, ...]) -> "SeekTerms":
        """These terms with other board sizes."""
        return replace(self, sizes=sizes)

    def to_json(self) -> dict[str, Any]:
        """Return the terms as JSON-compatible data."""
        return {
            "game": self.game,
            "control": self.control.to_json(),
            "options": dict(self.options),
            "sizes": list(self.sizes),
            "is_match": self.is_match,
            "negotiate": self.negotiate,
            "swap": self.swap,
            "side": self.side,
            **({"leavers": self.leavers} if self.leavers else {}),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "SeekTerms":
        """Restore terms from the output of `to_json`."""
        control, sizes = TimeControl.from_json(data["control"]), tuple(data["sizes"])
        return SeekTerms(**{**data, "control": control, "sizes": sizes})


def has_option(description: Description, name: str) -> bool:
    """Whether a game has an option of this name."""
    return any(option.name == name for option in description.options)


def seats_of(description: Description) -> tuple[int, int]:
    """The minimum and maximum number of players of a game."""
    players = next((option for option in description.options if option.name == PLAYERS), None)
    if players is None:
        return len(description.player_names), len(description.player_names)
    allowed = players.allowed_given(catalog.game(description.name).options)
    return min(allowed), max(allowed)


def boards_of(description: Description) -> tuple[int, ...]:
    """The board sizes offered in automatic pairing; empty for a game without sizes."""
    return next((option.presets for option in description.options if option.name == SIZE), ())


def strength_under(terms: SeekTerms, players: int, guest: Guest) -> float:
    """A guest's mean rating under these terms and number of players, or a newcomer's if they have none."""
    size_class = terms.rating_class(players)
    if size_class is None:
        return FIRST.mean
    known = rating_of(guest, terms.game, terms.pace, size_class)
    return FIRST.mean if known is None else known.rating.mean
