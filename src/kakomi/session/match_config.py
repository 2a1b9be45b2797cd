"""What is agreed before anybody plays."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kakomi import catalog
from kakomi.core import Game, Position
from kakomi.core.i18n import lazy_message
from kakomi.session.exceptions import Refused

MOST_LEGS = 20


@dataclass(frozen=True)
class MatchConfig:
    """The game and how the match goes about it. Raises Refused for terms that make no sense."""

    game: Game
    legs: int = 1
    """How many games the match has; the first player changes from one to the next (RULES N11)."""
    first: int = 0
    """The seat that is first player in the first game."""
    negotiate: bool = False
    """Whether komi and colours are settled before each game (RULES L5)."""
    swap: bool = False
    """Whether the second player may take over the first turn's stones (RULES V7: no part of any game)."""

    played: int = 0
    """How many games of the match were played before, where it is taken up again."""
    brought: tuple[float, ...] = ()
    """What each seat scored in them."""
    position: str = ""
    """Where each game begins, as `str(position)` writes it; else at the game's start."""

    def __post_init__(self) -> None:
        title, players = self.game.description.title, self.game.players
        if not 1 <= self.legs <= MOST_LEGS:
            raise Refused(f"a match has 1 to {MOST_LEGS} games, not {self.legs}")
        if not 0 <= self.played < self.legs or len(self.brought) not in (0, players):
            raise Refused("the games played before don't fit the match")
        if not 0 <= self.first < players:
            raise Refused(f"seat {self.first} can't begin: there are the seats 0 to {players - 1}")
        if self.negotiate and not self.game.description.komi_option:
            raise Refused(lazy_message("{title} has no komi to negotiate", title=title))
        if (self.negotiate or self.swap) and players != 2:
            raise Refused(lazy_message("colours are negotiated between two players only"))
        if self.negotiate and self.swap:
            raise Refused(lazy_message("either the komi is negotiated or colours can be swapped, not both"))
        if self.position:
            self._check_position()

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
        """Where each game begins; with a komi to be named, it begins anew when that is known."""
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
            "legs": self.legs,
            "first": self.first,
            "negotiate": self.negotiate,
            "swap": self.swap,
            "played": self.played,
            "brought": list(self.brought),
            **({"position": self.position} if self.position else {}),
        }

    @staticmethod
    def from_json(data: Any) -> "MatchConfig":
        """Terms from data. Raises Refused if something in them is wrong."""
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
                raise Refused(f"the terms' {name!r} is wrong: {str(value)[:40]!r}")
        try:
            brought = tuple(float(points) for points in given.pop("brought", ()))
        except (TypeError, ValueError):
            raise Refused("the terms' 'brought' should be a list of numbers") from None
        return MatchConfig(game, brought=brought, **given)


_KINDS = {
    "legs": int,
    "first": int,
    "negotiate": bool,
    "swap": bool,
    "played": int,
    "brought": list,
    "position": str,
}
