"""Which rows are learned from: the latest ones, and the more of them the more there are."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game
from kakomi.learn.batches import Batch, BatchMaker
from kakomi.learn.rows import Rows
from kakomi.learn.training_game import TrainingGame

FIRST_WINDOW = 20_000
"""So many rows are all learned from."""
GROWTH = 0.65
"""The power of their number by which the window grows from there, after KataGo's."""


def window_of(rows: int) -> int:
    """How many of so many rows, the latest, are learned from."""
    if rows <= FIRST_WINDOW:
        return rows
    return int(FIRST_WINDOW * (rows / FIRST_WINDOW) ** GROWTH)


@dataclass(frozen=True)
class Window:
    """The rows of the latest games, board by board."""

    makers: tuple[BatchMaker, ...]
    sizes: tuple[int, ...]
    """How many rows each has."""

    @staticmethod
    def of(games: Iterable[TrainingGame], wanted: int) -> "Window":
        """The rows of games, newest first, which are taken until there are as many as wanted."""
        chosen: dict[Game, list[TrainingGame]] = defaultdict(list)
        for game in games:
            if wanted <= 0:
                break
            if game.policies:
                chosen[game.game].append(game)
                wanted -= len(game.policies)
        boards = [Rows.of(each[::-1]) for each in chosen.values()]
        return Window(tuple(BatchMaker(board) for board in boards), tuple(len(board) for board in boards))

    def batch(self, size: int, rng: np.random.Generator) -> Batch:
        """A batch of rows of one board: the more rows a board has, the more often it comes."""
        shares = np.array(self.sizes) / sum(self.sizes)
        board = int(rng.choice(len(self.sizes), p=shares))
        return self.makers[board].batch(rng.integers(self.sizes[board], size=size), rng)
