"""Bots by level, 1 to 10 or more. Each game's data defines the settings of its levels (docs/levels.md)."""

import threading
from dataclasses import replace

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
MEMORY_MB = 48.0
"""The memory of a level's search: as much as a browser on a telephone has, so that it plays the same there.
On the boards on which levels were measured, no tree is larger."""
_BY_NAME = {str(number): number for number in range(1, MOST_LEVELS + 1)}


def levels_of(description: Description) -> range:
    """Return the levels of a game."""
    return range(1, len(description.levels) + 1)


def level_number(name: str) -> int | None:
    """Return the level that a text names, whether or not a game has it; None if it names no level."""
    return _BY_NAME.get(name)


def spec_of_level(strength: LevelConfig) -> BotSpec:
    """Return the bot settings of a level."""
    spec = BotSpec(simulations=strength.simulations, temperature=strength.temperature, memory_mb=MEMORY_MB)
    match strength.adviser:
        case Adviser.NETWORK:
            return replace(spec, kind=NET, mix=ALONE)
        case Adviser.PATTERNS:
            return replace(spec, kind=PATTERNS, mix=PATTERN_MIX)
        case Adviser.NOBODY:
            return replace(spec, config=(("use_prior", 0.0),))
    return spec


class LevelBot(Bot):
    """A search bot whose settings come from the game that it plays."""

    def __init__(self, level: int, seed: int = 0) -> None:
        super().__init__(f"level {level}", seed)
        self.level = level
        self._game: Game | None = None
        self._bot = SearchBot(BotSpec(simulations=1))

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """Return an action at this level's strength. Raises ValueError if the game is over."""
        bot = self._playing(position.game)
        action = bot.choose(position, stop=stop)
        self.last_report = bot.last_report
        return action

    def think(self, position: Position, *, stop: threading.Event | None = None) -> Report:
        """Search a position with this level's settings. Raises ValueError if the game is over."""
        return self._playing(position.game).think(position, stop=stop)

    def name_komi(self, game: Game) -> int:
        """Return the komi that makes both colours equally good for a player of this level."""
        return self._playing(game).name_komi(game)

    def choose_player(self, game: Game, komi: int) -> int:
        """Return the better player to be at this level, 0 or 1."""
        return self._playing(game).choose_player(game, komi)

    def wants_swap(self, position: Position, *, stop: threading.Event | None = None) -> bool:
        """Whether the other side looks better at this level."""
        return self._playing(position.game).wants_swap(position, stop=stop)

    def check(self, game: Game) -> None:
        """Raise ValueError if the game has no such level."""
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
