"""Rivals: who takes a seat of some games of self-play, so that a player meets others than itself.

One that plays itself alone may forget how to beat what it beat before. So some games are against an earlier
checkpoint, and some against a level of the game's own search.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.level_config import Adviser
from kakomi.learn.evaluators import open_evaluator
from kakomi.search.advised_search import AdvisedSearch
from kakomi.search.search import Search

MOST_SIMULATIONS = 3_000
"""The most of a level that serves as a rival; it would hold up the games of others."""
MEMORY_MB = 8.0
_CACHE_MB = 1.0
_OWN_CHANCE = 7
"""Tells the chance that chooses rivals from that of games, which begins with the same seeds."""


@dataclass(frozen=True)
class Rival:
    """Who plays one seat of a game, by the best of so many simulations."""

    name: str
    """As it is said to have played."""
    simulations: int
    file: str = ""
    """The network that advises; without one it is the game's own search."""

    def player(self, game: Game, seed: int) -> "RivalPlayer":
        """It at a board."""
        if not self.file:
            return RivalPlayer(Search(game, seed=seed, memory_mb=MEMORY_MB), self.simulations)
        evaluator = open_evaluator(self.file, game, cache_mb=_CACHE_MB)
        search = AdvisedSearch(game, evaluator=evaluator, seed=seed, memory_mb=MEMORY_MB)
        return RivalPlayer(search, self.simulations)


@dataclass(frozen=True)
class RivalPlayer:
    """A rival in one game."""

    search: Search
    simulations: int

    def choose(self, position: Position) -> int:
        """Its action."""
        return self.search.run(position, simulations=self.simulations).action


@dataclass(frozen=True)
class RivalShares:
    """Parts of all games, 0 to 1, in which one seat is a rival's."""

    past: float = 0.1
    """An earlier checkpoint's;"""
    levels: float = 0.05
    """a level's."""

    def draw(
        self, game: Game, earlier: Sequence[Path], simulations: int, seeds: Sequence[int]
    ) -> Rival | None:
        """The rival of a batch of games, if it is to have one; chance follows from the seeds.

        `earlier` are the checkpoints before the one that plays, which get so many simulations.
        """
        rng = np.random.default_rng([*seeds, _OWN_CHANCE])
        drawn, levels = rng.random(), rivals_among_levels(game)
        if drawn < self.past:
            return _of_checkpoint(earlier[int(rng.integers(len(earlier)))], simulations) if earlier else None
        if drawn < self.past + self.levels and levels:
            return levels[int(rng.integers(len(levels)))]
        return None


NO_RIVALS = RivalShares(past=0.0, levels=0.0)


def rivals_among_levels(game: Game) -> list[Rival]:
    """The levels that play by the game's search alone, their best and not too slowly."""
    return [
        Rival(f"level {number}", level.simulations)
        for number, level in enumerate(game.description.levels, start=1)
        if level.adviser in (Adviser.NOBODY, Adviser.PRIOR)
        and not level.temperature
        and level.simulations <= MOST_SIMULATIONS
    ]


def _of_checkpoint(path: Path, simulations: int) -> Rival:
    return Rival(f"checkpoint {path.stem}", simulations, str(path))
