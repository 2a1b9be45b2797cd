"""A game's description: all that differs between games and is no rule."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.action import Action
from kakomi.core.option import Option, Options
from kakomi.draw import Style


@dataclass(frozen=True, eq=False)
class Description:
    """What a game's `__init__.py` binds to the name `GAME`.

    `rules` holds the functions of `kakomi.kernel.contract` and `STATE`, `SCRATCH`, `IDENTITY`;
    `explain` holds `why_illegal(position, action)`, `expects(position)`, `overlays(position)` and
    `account(position)`.
    """

    module: str
    """The module that holds the description: `__name__`."""
    name: str
    title: str
    author: str
    year: str
    summary: str
    """One sentence for people who choose a game."""
    credit: str
    """What the author's document asks to be said."""
    options: Sequence[Option]
    rules: ModuleType
    explain: ModuleType
    geometry: Callable[[Options], Geometry]
    board: Callable[[Geometry, Options], np.ndarray]
    """Geometry and options as the one-element record array that the rules take."""
    actions: Callable[[Geometry, Options], Sequence[Action]]
    player_names: tuple[str, ...] = ("Black", "White")
    style: Style = field(default_factory=Style)
    ply_limit: Callable[[Geometry, Options], int] | None = None
    """After how many actions a search may cut a game off and count the points (RULES N12)."""
    quick: Options = field(default_factory=dict)
    """Options of a board for short games and tests."""
    sgf_number: int = 0
    """GM of SGF's list of games; 0: SGF has no number for it, and its records use the game's name."""
    komi_option: str = ""
    """The option that players negotiate before the game (RULES L5)."""
    match_games: int = 1
    """How many games the author recommends for a match, first player changing (RULES N11)."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _described, (self.module,)

    @property
    def rules_text(self) -> str:
        """The rules for players, as Markdown."""
        from importlib.resources import files

        return files(self.module).joinpath("rules.md").read_text(encoding="utf-8")


def _described(module: str) -> Description:
    found: Description = importlib.import_module(module).GAME
    return found
