"""Settings of a game's searches, found by matches (docs/strength.md), and of its bots' levels, which are
equally strong on any machine.
"""

from dataclasses import astuple, dataclass, fields
from enum import StrEnum

import numpy as np


class Adviser(StrEnum):
    """The source of a bot's advice on which actions to search."""

    NOBODY = ""
    PRIOR = "prior"
    """The prior of the game's policy."""
    PATTERNS = "patterns"
    """The patterns that come with the game (docs/patterns.md)."""
    NETWORK = "network"
    """The network that comes with the game (docs/networks.md)."""


@dataclass(frozen=True)
class LevelConfig:
    """The settings of a level, for each action."""

    simulations: int
    temperature: float = 0.0
    """It chooses each action that it searched with a probability proportional to its visits to the power of
    1 / temperature; 0: the best one."""
    adviser: Adviser = Adviser.PRIOR
    elo: int | None = None
    """Elo points above the scripted beginner on the quick board (docs/levels.md); None: not measured."""


LEVELS = 10
"""The number of levels that every game has."""
MOST_LEVELS = 20


_TEMPERATURES = (1.5, 1.0, 0.7, 0.4, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0)
_SIMULATIONS = (20, 40, 80, 160, 320, 800, 2_500, 8_000, 25_000, 80_000)
DEFAULT_LEVELS = tuple(map(LevelConfig, _SIMULATIONS, _TEMPERATURES))
"""Levels 1 to 10 of a game whose levels haven't been measured (docs/levels.md)."""


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a tree search, which `kakomi.search.mcts` explains."""

    exploration: float = 0.1
    """Weight of the upper confidence bound, for gains from 0 to 1."""
    equivalence: float = 500.0
    """The number of simulations after which an action's own mean has the same weight as its mean elsewhere in
    simulations through the parent (AMAF); 0: only its own counts."""
    prior_visits: float = 2.0
    """The number of AMAF simulations that the game's prior of an action is worth."""
    puct: float = 0.0
    """Weight of an action's share, from the game's prior, in the bound of PUCT; 0: RAVE with the three
    settings above."""
    fpu_reduction: float = 0.0
    """With PUCT: how much less than its parent's mean an unvisited action is expected to gain (first-play
    urgency reduction)."""
    prior_scale: float = 0.03
    """The difference in prior that makes an action's share e times as large."""
    margin: float = 0.0
    """The part of a gain, 0 to 1, that depends on the score's margin instead of the win."""
    margin_scale: float = 10.0
    """The lead in points that is worth half of that part."""
    playout_plies: float = 0.0
    """Plies after which a playout is stopped and judged by the scores; 0: played to the end."""
    expand_after: float = 1.0
    """Visits of a leaf before it is expanded."""

    use_candidates: float = 1.0
    """1 or 0: whether the game's policy may leave actions out of the tree."""
    use_prior: float = 1.0
    """Whether the policy's prior is used."""
    use_playouts: float = 1.0
    """Whether the policy chooses the actions of playouts."""
    use_decided: float = 1.0
    """Whether the policy ends playouts once the winner is certain."""
    use_proofs: float = 1.0
    """Whether proven wins, losses and draws end the search for anything better. Switching these five off
    measures their worth. Without the last two, and with some `margin`, a search plays for as many points as
    possible, and not only to win."""

    plain_exploration: float = 1.0
    """The best exploration of plain UCT, the baseline; its gains are between -1 and 1."""

    def __post_init__(self) -> None:
        for name in ("prior_visits", "prior_scale", "margin_scale"):
            if (given := getattr(self, name)) <= 0:
                raise ValueError(f"{name} is {given:g}; it must be above 0")

    def record(self) -> np.ndarray:
        """The settings as a one-element record array, for compiled code."""
        return np.array([astuple(self)], SEARCH_CONFIG)


SEARCH_CONFIG = np.dtype([(field.name, np.float64) for field in fields(SearchConfig)])
"""The type of the record."""
