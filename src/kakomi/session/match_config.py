"""The terms of a match: its configuration and its seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kakomi import catalog
from kakomi.bots import NUMBERS
from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.core.wording import truncated_repr
from kakomi.session.exceptions import Refused

MOST_GAMES = 20


@dataclass(frozen=True)
class MatchConfig:
    """The game and how the match goes about it. Raises Refused for a configuration that makes no sense."""

    game: Game
    games: int = 1
    """The number of games; the first player changes from one to the next (RULES N11)."""
    first: int = 0
    """The seat that is first player in the first game."""
    negotiate: bool = False
    """Whether komi and colours are settled before each game (RULES L5)."""
    swap: bool = False
    """Whether the second player may take over the first turn's stones (RULES V7: no part of any game)."""

    leavers: str = ""
    """The bot that takes the seat of a person who leaves a game of three or more; empty: the seat passes."""

    played: int = 0
    """The number of games that were played before a match is resumed."""
    brought: tuple[float, ...] = ()
    """The score of each seat in them."""
    position: str = ""
    """The first position of each game, as `str(position)` writes it; empty for the game's start."""

    def __post_init__(self) -> None:
        title, players = self.game.description.title, self.game.players
        if not 1 <= self.games <= MOST_GAMES:
            raise Refused(f"a match has 1 to {MOST_GAMES} games, not {self.games}")
        if not 0 <= self.played < self.games or len(self.brought) not in (0, players):
            raise Refused("the games played before don't fit the match")
        if not 0 <= self.first < players:
            raise Refused(f"seat {self.first} can't begin: there are the seats 0 to {players - 1}")
        if self.negotiate and not self.game.description.komi_option:
            raise Refused(lazy_message("{title} has no komi to negotiate", title=title))
        if (self.negotiate or self.swap) and players != 2:
            raise Refused(lazy_message("colours are negotiated between two players only"))
        if self.negotiate and self.swap:
            raise Refused(lazy_message("either the komi is negotiated or colours can be swapped, not both"))
        if self.leavers:
            self._check_leavers()
        if self.position:
            self._check_position()

    def _check_leavers(self) -> None:
        if self.game.players < 3:
            raise Refused(lazy_message("who leaves a game of two has lost it: no bot takes over"))
        if self.leavers not in map(str, NUMBERS):
            raise Refused(
                lazy_message(
                    "a bot that takes over has a level from {first} to {last}",
                    first=NUMBERS[0],
                    last=NUMBERS[-1],
                )
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
        """The first position of each game, made again once a komi is named."""
        return self.game.position(self.position) if self.position else self.game.start()

    def with_komi(self, komi: int) -> Game:
        """The game under a komi. Raises Refused, saying what komi may be."""
        option = self.game.description.komi_option
        try:
            return catalog.game(self.game.name, **{**self.game.options, option: komi})
        except ValueError as error:
            raise Refused(str(error)) from None

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
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
        """A configuration from data. Raises Refused if something in it is wrong."""
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
"""The fields of the stored form, in which `games` is called `legs`."""


@dataclass(frozen=True)
class Seat:
    """A place at the table; its number is its place in the match's list of seats."""

    name: str = ""
    bot: str = ""
    """The bot that plays here (a name that `kakomi.bots.make_bot` knows); empty for a person."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot plays here."""
        return bool(self.bot)

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {"name": self.name, "bot": self.bot}

    @staticmethod
    def from_json(data: Any) -> "Seat":
        """A seat from data. Raises Refused if that isn't one."""
        known = data if isinstance(data, Mapping) else {"name": None}
        name, bot = known.get("name", ""), known.get("bot", "")
        if not isinstance(name, str) or not isinstance(bot, str):
            raise Refused("a seat should be an object with the texts 'name' and 'bot'")
        return Seat(name, bot)
