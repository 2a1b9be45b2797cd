"""The terms of a seek as data, the match that they describe, and how strong somebody is under them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from kakomi import catalog
from kakomi.contest import FIRST
from kakomi.core import Description, Game
from kakomi.core.i18n import lazy_message
from kakomi.core.wording import range_in_words
from kakomi.server.accounts.models import Guest
from kakomi.server.ratings.selectors import rating_of
from kakomi.session import MatchConfig, Refused, TimeControl
from kakomi.session.time_control import Pace

PLAYERS, SIZE = "players", "size"
"""Options by which games say how many play, and on which board."""
Side = Literal["lot", "first", "last"]


@dataclass(frozen=True)
class SeekTerms:
    """The terms of a game that is sought. Options that are left out have their defaults."""

    game: str
    control: TimeControl
    options: Mapping[str, int] = field(default_factory=dict)
    """Without the number of players, and without the size if there are several."""
    sizes: tuple[int, ...] = ()
    """The boards that will do, the dearest first; empty: the one of the options."""
    is_match: bool = False
    negotiate: bool = False
    swap: bool = False
    side: Side = "lot"
    """Where the owner sits."""
    leavers: str = ""
    """The level of the bot that goes on for who leaves, among three or more; empty: the seat passes."""

    @property
    def description(self) -> Description:
        """The game's."""
        return catalog.describe(self.game)

    @property
    def pace(self) -> Pace:
        """Whether it is played at once or over days."""
        return self.control.pace

    def game_for(self, players: int) -> Game:
        """The game for so many players. Raises ValueError for options that it doesn't have."""
        options = dict(self.options)
        if self.sizes:
            options[SIZE] = self.sizes[0]
        if has_option(self.description, PLAYERS):
            options[PLAYERS] = players
        return catalog.game(self.game, **options)

    def rating_class(self, players: int) -> str | None:
        """The class of boards in which it is rated; None if it is in none."""
        game = self.game_for(players)
        return game.description.size_class(game.options)

    def config(self, players: int) -> MatchConfig:
        """The match for so many players. Raises ValueError, or Refused for terms that don't fit together."""
        game = self.game_for(players)
        games = max(self.description.match_games, game.players) if self.is_match else 1
        leavers = self.leavers if game.players > 2 else ""
        return MatchConfig(game, games=games, negotiate=self.negotiate, swap=self.swap, leavers=leavers)

    def check_seats(self, least: int, most: int) -> None:
        """Raise Refused unless so few and so many may play the game, on each of its boards."""
        fewest, limit = seats_of(self.description)
        if least > most:
            raise Refused(
                lazy_message("at least {least} can't begin a game for {most}", least=least, most=most)
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
        """The terms of a game as it is set up. What it has by default is left out, so that equal wishes are
        equal; who plays, and how many, is another matter."""
        options = {
            option.name: game.options[option.name]
            for option in game.description.options
            if option.name not in (PLAYERS, SIZE)
            and game.options[option.name] != option.default_given(game.options)
        }
        sizes = (game.options[SIZE],) if SIZE in game.options else ()
        return SeekTerms(game.name, control, options, sizes, **others)

    def on(self, sizes: tuple[int, ...]) -> "SeekTerms":
        """The same on fewer boards."""
        return replace(self, sizes=sizes)

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
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
        """Terms from what `to_json` gave."""
        control, sizes = TimeControl.from_json(data["control"]), tuple(data["sizes"])
        return SeekTerms(**{**data, "control": control, "sizes": sizes})


def has_option(description: Description, name: str) -> bool:
    """Whether a game has an option of this name."""
    return any(option.name == name for option in description.options)


def seats_of(description: Description) -> tuple[int, int]:
    """The fewest and the most players of a game."""
    players = next((option for option in description.options if option.name == PLAYERS), None)
    if players is None:
        return len(description.player_names), len(description.player_names)
    allowed = players.allowed_given(catalog.game(description.name).options)
    return min(allowed), max(allowed)


def boards_of(description: Description) -> tuple[int, ...]:
    """The boards that are offered to somebody who plays with anybody; none for a game without sizes."""
    return next((option.presets for option in description.options if option.name == SIZE), ())


def strength_under(terms: SeekTerms, players: int, guest: Guest) -> float:
    """A guest's rating in such games for so many players; a newcomer's for who has none."""
    size_class = terms.rating_class(players)
    if size_class is None:
        return FIRST.mean
    known = rating_of(guest, terms.game, terms.pace, size_class)
    return FIRST.mean if known is None else known.mean
