"""Bots by level, 1 to 10; what each level is worth is data of the game (docs/levels.md)."""

import threading

from kakomi.bots.bot import Bot, SearchBot
from kakomi.bots.spec import BotSpec
from kakomi.core import Game, Position
from kakomi.core.level_config import LEVELS, LevelConfig
from kakomi.search import Report

DEFAULT_LEVEL = "4"
NUMBERS = range(1, LEVELS + 1)


def spec_of_level(strength: LevelConfig) -> BotSpec:
    """The settings of a bot of some strength."""
    return BotSpec(
        simulations=strength.simulations,
        temperature=strength.temperature,
        config=() if strength.is_advised else (("use_prior", 0.0),),
    )


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

    def _playing(self, game: Game) -> SearchBot:
        if game != self._game:
            strength = game.description.levels[self.level - 1]
            self._bot = SearchBot(spec_of_level(strength), name=self.name, seed=self._seed)
            self._game = game
        self._bot.progress = self._tell if self.progress else None
        return self._bot

    def _tell(self, part: float) -> None:
        self.last_report = self._bot.last_report
        if self.progress:
            self.progress(part)
