"""The tables of patterns of a game, the same for all its boards: their files, and what a search takes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from kakomi.core import Game
from kakomi.core.action import Action
from kakomi.core.system import arrays_in, replacing
from kakomi.core.wording import truncated_repr
from kakomi.search.pattern_rings import classes_of, has_rings, rings_of
from kakomi.search.patterns import CONTENTS, FIGURES, NOWHERE, Patterns

OWN_PATTERNS = "patterns.npz"
"""The name of a table that comes with a game, in the game's folder."""


def own_patterns(game: Game) -> Path | None:
    """The file of the table that comes with a game between two players; None where there is none."""
    return game.description.file(OWN_PATTERNS) if game.players == 2 else None


@dataclass(frozen=True, eq=False)
class PatternTable:
    """Numbers for all patterns of a game; `Patterns` says what the arrays are."""

    game: str
    kinds: tuple[str, ...]
    """The kinds of actions."""
    shares: np.ndarray
    weights: np.ndarray
    biases: np.ndarray
    values: np.ndarray
    outlook: np.ndarray

    @classmethod
    def blank(cls, game: Game) -> Self:
        """A table that knows nothing. Raises ValueError for a game on whose board there are no rings."""
        kind = game.geometry.kind
        if not has_rings(game):
            raise ValueError(f"patterns can't be read on the boards of {game.name}, whose shape is {kind}")
        kinds, features, classes = kinds_of_actions(game), features_of(game), classes_of(kind)
        rings, width = len(classes), int(classes.max()) + 1
        return cls(
            game.name,
            kinds,
            shares=np.zeros((len(kinds), CONTENTS, rings, width), np.float32),
            weights=np.zeros((len(kinds), features), np.float32),
            biases=np.zeros(len(kinds), np.float32),
            values=np.zeros((CONTENTS, rings, width), np.float32),
            outlook=np.zeros(FIGURES, np.float32),
        )

    def patterns(self, game: Game) -> Patterns:
        """What a search of a game takes. Raises ValueError if the table is of another game."""
        if game.name != self.game or kinds_of_actions(game) != self.kinds:
            raise ValueError(f"the patterns are of {self.game}, and not for {game!r}")
        blank = self.blank(game)
        for name in ARRAYS:
            shape, wanted = getattr(self, name).shape, getattr(blank, name).shape
            if shape != wanted:
                raise ValueError(f"{name} of the patterns for {game.name} are {shape}; they must be {wanted}")
        points, rings = game.geometry.points, rings_of(game)
        kinds = [self.kinds.index(_kind(action)) for action in game.actions]
        return Patterns(
            rings=rings,
            classes=classes_of(game.geometry.kind),
            kinds=np.array(kinds, np.int32),
            places=np.array([_place(game, action) for action in game.actions], np.int32),
            shares=self.shares,
            weights=self.weights,
            biases=self.biases,
            values=self.values,
            outlook=self.outlook,
            contents=np.zeros(points + 1, np.int8),
            found=np.zeros((points, rings.shape[1]), np.int32),
            seen=np.zeros((self.weights.shape[1], points), np.float32),
            figures=np.zeros(FIGURES),
            scores=np.zeros(game.players),
            gains=np.zeros(game.players),
        )

    def save(self, path: Path) -> None:
        """Write it to a file, its numbers in half precision."""
        with replacing(path) as file:
            halves = {name: getattr(self, name).astype(np.float16) for name in ARRAYS}
            np.savez_compressed(file, game=self.game, kinds=np.array(self.kinds), **halves)

    @classmethod
    def load(cls, path: Path) -> Self:
        """The table of a file. Raises ValueError for a file that holds none."""
        try:
            kept = arrays_in(path)
            if missing := [name for name in (*ARRAYS, "game", "kinds") if name not in kept]:
                raise ValueError(f"it has no {missing[0]}")
            for name in ARRAYS:
                if kept[name].dtype.kind != "f" or not np.isfinite(kept[name]).all():
                    raise ValueError(f"{name} must be finite floating-point numbers")
        except ValueError as error:
            raise ValueError(f"{truncated_repr(str(path))} holds no patterns: {error}") from None
        arrays = {name: kept[name].astype(np.float32) for name in ARRAYS}
        return cls(str(kept["game"]), tuple(map(str, kept["kinds"].ravel())), **arrays)


ARRAYS = ("shares", "weights", "biases", "values", "outlook")


def kinds_of_actions(game: Game) -> tuple[str, ...]:
    """The kinds of actions of a game, in the order in which they first come."""
    return tuple(dict.fromkeys(_kind(action) for action in game.actions))


def features_of(game: Game) -> int:
    """How many features the game tells of each point."""
    return len(getattr(game.description.observation, "FEATURES", ()))


def _kind(action: Action) -> str:
    return f"{action.kind} {action.variant}".strip()


def _place(game: Game, action: Action) -> int:
    return game.geometry.index[action.point] if action.point else NOWHERE
