"""The terms of a match: its configuration and its seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from kakomi import catalog
from kakomi.bots import NUMBERS
from kakomi.core import Description, Game, Position
from kakomi.core.i18n import lazy_error, lazy_message, truncated_repr
from kakomi.core.known_results import nearest_komi
from kakomi.session.exceptions import Refused

MOST_GAMES = 20


@dataclass(frozen=True)
class MatchConfig:
    """The game and the terms of a match. Raises Refused for an invalid configuration."""

    game: Game
    games: int = 1
    """The number of games; the first player alternates (RULES N11)."""
    first: int = 0
    """The seat that is first player in the first game."""
    negotiate: bool = False
    """Whether komi and colours are settled before each game (RULES L5)."""
    swap: bool = False
    """Whether the second player may take over the first turn's stones (RULES V7: not part of any game)."""

    leavers: str = ""
    """The bot that replaces a person who leaves a game of three or more; empty: the seat passes."""

    played: int = 0
    """The number of games played before the match was resumed."""
    brought: tuple[float, ...] = ()
    """The total score of each seat in those games."""
    position: str = ""
    """The start position of each game, as `str(position)` writes it; empty: the game's own start."""

    def __post_init__(self) -> None:
        title, players = self.game.description.title, self.game.players
        if not 1 <= self.games <= MOST_GAMES:
            raise Refused(f"a match has 1 to {MOST_GAMES} games, not {self.games}")
        if not 0 <= self.played < self.games or len(self.brought) not in (0, players):
            raise Refused("the games played before don't fit the match")
        if not 0 <= self.first < players:
            raise Refused(f"seat {self.first} can't begin: there are the seats 0 to {players - 1}")
        if self.negotiate and not self.game.description.komi_option:
            raise Refused(lazy_message("{title} has no komi negotiation", title=title))
        if (self.negotiate or self.swap) and players != 2:
            raise Refused(lazy_message("komi negotiation and swap are for two players only"))
        if self.negotiate and self.swap:
            raise Refused(lazy_message("komi negotiation and colour swap can’t be combined"))
        if self.leavers:
            self._check_leavers()
        if self.position:
            self._check_position()

    def _check_leavers(self) -> None:
        if self.game.players < 3:
            raise lazy_error(Refused, "a player who leaves a two-player game loses it: no bot can take over")
        if self.leavers not in map(str, NUMBERS):
            raise lazy_error(
                Refused,
                "choose a level from {first} to {last} for the bot that takes over",
                first=NUMBERS[0],
                last=NUMBERS[-1],
            )

    def _check_position(self) -> None:
        if self.negotiate or self.swap:
            raise Refused("a game from a position of its own has neither a komi to negotiate nor a swap")
        try:
            is_over = self.start.is_over
        except ValueError as error:
            raise Refused(str(error)) from None
        if is_over:
            raise Refused("the game is over in this position: there is nothing to play")

    @cached_property
    def start(self) -> Position:
        """The start position of each game, before a komi is named."""
        return self.game.position(self.position) if self.position else self.game.start()

    def with_komi(self, komi: int) -> Game:
        """Return the game with a komi. Raises Refused, with the allowed values, for another komi."""
        option = self.game.description.komi_option
        try:
            return catalog.game(self.game.name, **{**self.game.options, option: komi})
        except ValueError as error:
            raise Refused(str(error)) from None

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "legs": self.games,
            "first": self.first,
            "negotiate": self.negotiate,
            "swap": self.swap,
            "played": self.played,
            "brought": list(self.brought),
            **({"leavers": self.leavers} if self.leavers else {}),
            **({"position": self.position} if self.position else {}),
        }

    @staticmethod
    def from_json(data: Any) -> "MatchConfig":
        """Read a configuration from JSON data. Raises Refused if it is invalid."""
        if not isinstance(data, Mapping) or not isinstance(data.get("options", {}), Mapping):
            raise Refused("terms should be an object with 'game' and 'options'")
        try:
            options = {str(name): value for name, value in data.get("options", {}).items()}
            game = catalog.game(str(data.get("game")), **options)
        except ValueError as error:
            raise Refused(str(error)) from None
        given = {name: data[name] for name in _KINDS if name in data}
        for name, value in given.items():
            if type(value) is not _KINDS[name]:
                raise Refused(f"the terms' {name!r} is wrong: {truncated_repr(value)}")
        try:
            brought = tuple(float(points) for points in given.pop("brought", ()))
        except (TypeError, ValueError, OverflowError):
            raise Refused("the terms' 'brought' should be a list of numbers") from None
        return MatchConfig(game, games=given.pop("legs", 1), brought=brought, **given)


_KINDS = {
    "legs": int,
    "first": int,
    "negotiate": bool,
    "swap": bool,
    "leavers": str,
    "played": int,
    "brought": list,
    "position": str,
}
"""The types of the stored fields; `games` is stored as `legs`."""


class UsualTerms(NamedTuple):
    """The terms under which people start a game unless they say otherwise."""

    game: Game
    negotiate: bool


def usual_terms(
    description: Description,
    given: Mapping[str, Any] = MappingProxyType({}),
    *,
    negotiate: bool | None = None,
    has_bots: bool = False,
    is_settled: bool = False,
) -> UsualTerms:
    """The usual terms of a game, the same wherever people start it, but for given options.

    The board is the first preset, for more than two players the largest. Two people negotiate the komi
    (RULES L5); else, as against bots, it is the fair one if that has been measured. A swap or a position
    settles who has the advantage instead. Raises ValueError for an impossible option.
    """
    is_for_more = str(given.get("players", 2)) > "2"
    presets = {option.name: option.presets[0] for option in description.options if option.presets}
    game = catalog.game(description.name, **{**({} if is_for_more else presets), **given})
    komi, is_open = description.komi_option, description.komi_option not in given and not is_settled
    if negotiate is None:
        negotiate = bool(komi) and is_open and not has_bots
    if komi and is_open and not negotiate and (known := description.fair_komi(game.options)):
        fair = nearest_komi(known.fair, description.komi.allowed_given(game.options))
        game = catalog.game(game.name, **{**game.options, komi: fair})
    return UsualTerms(game, negotiate)


@dataclass(frozen=True)
class Seat:
    """A seat at the table; its number is its index in the match's list of seats."""

    name: str = ""
    bot: str = ""
    """The bot that plays here, as a name for `kakomi.bots.make_bot`; empty for a person."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays here."""
        return bool(self.bot)

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {"name": self.name, "bot": self.bot}

    @staticmethod
    def from_json(data: Any) -> "Seat":
        """Read a seat from JSON data. Raises Refused if it is malformed."""
        known = data if isinstance(data, Mapping) else {"name": None}
        name, bot = known.get("name", ""), known.get("bot", "")
        if not isinstance(name, str) or not isinstance(bot, str):
            raise Refused("a seat should be an object with the texts 'name' and 'bot'")
        return Seat(name, bot)
