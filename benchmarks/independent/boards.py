"""The boards that are proved a second time, and the samples of positions."""

from collections.abc import Mapping
from dataclasses import dataclass

import kakomi
from benchmarks.independent.samples import name_of


@dataclass(frozen=True)
class Board:
    """A board to solve from its start."""

    game: str
    options: Mapping[str, int]

    @property
    def name(self) -> str:
        return name_of(self.game, self.options)

    @property
    def known(self) -> int | None:
        """The first player's margin that Kakomi's solver found (`solved.toml`), or None."""
        game = kakomi.game(self.game, **self.options)
        for board in game.description.solved:
            if board.seat == 0 and dict(board.options) == dict(game.options):
                return board.margin
        return None


@dataclass(frozen=True)
class Sample:
    """Which positions of a board are compared, how many, and with what seed."""

    options: Mapping[str, int]
    depth: int
    """The depth of perft."""
    values: int = 0
    """The number of late positions whose exact values are compared."""
    latest: int = 0
    """The most actions left in the random game at a late position."""
    games: int = 20
    perft_positions: int = 4
    seed: int = 1


BOARDS: Mapping[str, tuple[Board, ...]] = {
    "lin": tuple(Board("lin", {"size": 5, "line": line}) for line in (5, 4, 3)),
    "rin": (Board("rin", {"size": 4}),),
    "rings": (Board("rings", {"size": 2, "players": 2}),),
    "rive": (Board("rive", {"size": 2}), Board("rive", {"size": 3})),
}

SAMPLES: Mapping[str, tuple[Sample, ...]] = {
    "lin": (
        Sample({"size": 5, "line": 3}, depth=4, values=200, latest=12),
        Sample({"size": 5, "line": 4}, depth=4, values=200, latest=12),
        Sample({"size": 5, "line": 5}, depth=4, values=200, latest=12),
        Sample({"size": 7, "line": 5}, depth=3),
        Sample({"size": 13, "line": 6}, depth=2),
    ),
    "rin": (
        Sample({"size": 4}, depth=5, values=200, latest=12),
        Sample({"size": 8}, depth=3),
        Sample({"size": 16}, depth=2),
    ),
    "rings": (
        Sample({"size": 2, "players": 2}, depth=4, values=200, latest=16),
        Sample({"size": 3, "players": 3}, depth=3),
        Sample({"size": 6, "players": 2}, depth=2),
    ),
    "rive": (
        Sample({"size": 2}, depth=6, values=200, latest=10),
        Sample({"size": 3}, depth=4, values=200, latest=25),
        Sample({"size": 4}, depth=4),
        Sample({"size": 5}, depth=3),
    ),
}
