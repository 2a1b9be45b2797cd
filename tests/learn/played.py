"""Small training games for tests."""

from collections.abc import Generator
from functools import lru_cache
from typing import TypeVar

import kakomi
from kakomi.core import Game
from kakomi.learn.games import TrainingGame
from kakomi.learn.self_play import Assignment, SelfPlay, play_games

T = TypeVar("T")
QUICK = SelfPlay(halving=0, thorough=24, quick=6, thorough_share=0.4, lockstep=3)


def quick(name: str) -> Game:
    """The game on the board that tests play on."""
    return kakomi.game(name, **kakomi.game(name).description.quick)


def assignment(game: Game, games: int = 4, batch: int = 0, **others: object) -> Assignment:
    """An assignment for the game's own search."""
    return Assignment(game.name, dict(game.options), games, 1, batch, QUICK, **others)  # type: ignore[arg-type]


@lru_cache
def searched(name: str) -> tuple[TrainingGame, ...]:
    """Some games played by the search."""
    game = quick(name)
    return tuple(play_games(game, assignment(game, player="search")))


def result_of(steps: Generator[None, None, T]) -> T:
    """The result of a generator, run to its end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
