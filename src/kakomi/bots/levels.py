"""Bots by level, 1 to 10 or more; what each level is worth is data of the game (docs/levels.md)."""

import threading

from kakomi.bots.bot import Bot, SearchBot
from kakomi.bots.spec import NET, PATTERNS, BotSpec
from kakomi.core import Description, Game, Position
from kakomi.core.level_config import LEVELS, MOST_LEVELS, Adviser, LevelConfig
from kakomi.search import Report
from kakomi.search.advised_search import ALONE
from kakomi.search.search import PATTERN_MIX

DEFAULT_LEVEL = "4"
NUMBERS = range(1, LEVELS + 1)
"""The levels that every game has."""
_BY_NAME = {str(number): number for number in range(1, MOST_LEVELS + 1)}


def levels_of(description: Description) -> range:
    """The levels that a game has."""
    return range(1, len(description.levels) + 1)


def level_number(name: str) -> int | None:
    """The level that a text names, whether or not some game has it; None for another text."""
    return _BY_NAME.get(name)


def spec_of_level(strength: LevelConfig) -> BotSpec:
    """The settings of a bot of some strength."""
    simulations, temperature = strength.simulations, strength.temperature
    match strength.adviser:
        case Adviser.NETWORK:
            return BotSpec(NET, simulations, temperature=temperature, mix=ALONE)
        case Adviser.PATTERNS:
            return BotSpec(PATTERNS, simulations, temperature=temperature, mix=PATTERN_MIX)
        case Adviser.NOBODY:
            return BotSpec(simulations=simulations, temperature=temperature, config=(("use_prior", 0.0),))
    return BotSpec(simulations=simulations, temperature=temperature)


class LevelBot(Bot):
    """A searching bot that takes its strength from the game that it is shown."""

    def __init__(self, level: int, seed: int = 0) -> None:
        super().__init__(f"level {level}", seed)
        self.level = level
        self._game: Game | None = None
        self._bot = SearchBot(BotSpec(simulations=1))

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """An action of this level's strength. Raises ValueError if the game is over."""
        bot = self._playing(position.game)
        action = bot.choose(position, stop=stop)
        self.last_report = bot.last_report
        return action

    def think(self, position: Position, *, stop: threading.Event | None = None) -> Report:
        """Search a position as this level does. Raises ValueError if the game is over."""
        return self._playing(position.game).think(position, stop=stop)

    def name_komi(self, game: Game) -> int:
        """The komi that makes both colours worth the same to a player of this level."""
        return self._playing(game).name_komi(game)

    def choose_player(self, game: Game, komi: int) -> int:
        """The better player to be, as this level sees it."""
        return self._playing(game).choose_player(game, komi)

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether the other side looks better to this level."""
        return self._playing(position.game).wants_swap(position, stop=stop)

    def check(self, game: Game) -> None:
        """Raises ValueError if the game has no such level."""
        levels = levels_of(game.description)
        if self.level not in levels:
            raise ValueError(f"{game.name} has no level {self.level}; it has levels 1 to {levels[-1]}")

    def _playing(self, game: Game) -> SearchBot:
        if game != self._game:
            self.check(game)
            strength = game.description.levels[self.level - 1]
            self._bot = SearchBot(spec_of_level(strength), name=self.name, seed=self._seed)
            self._game = game
        self._bot.progress = self._tell if self.progress else None
        return self._bot

    def _tell(self, part: float) -> None:
        self.last_report = self._bot.last_report
        if self.progress:
            self.progress(part)
