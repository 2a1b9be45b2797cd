"""How a search is set for a game, by figures found in matches (docs/strength.md), and how strong a bot's
level is, the same on any machine.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from enum import StrEnum

import numpy as np


class Adviser(StrEnum):
    """Who tells a bot which actions deserve a look."""

    NOBODY = ""
    PRIOR = "prior"
    """What the game's policy promises of actions."""
    PATTERNS = "patterns"
    """The patterns that come with the game (docs/patterns.md)."""
    NETWORK = "network"
    """The network that comes with the game (docs/networks.md)."""


@dataclass(frozen=True)
class LevelConfig:
    """What a bot of some level does for an action."""

    simulations: int
    temperature: float = 0.0
    """How freely it chooses among the actions that it searched: each with a chance in proportion to its
    visits to the power of 1 / temperature. 0: the best."""
    adviser: Adviser = Adviser.PRIOR
    elo: int | None = None
    """Elo points above the scripted beginner on the quick board (docs/levels.md); None: not measured."""


LEVELS = 10
"""So many levels every game has."""
MOST_LEVELS = 20


def level_configs(
    simulations: Sequence[int],
    temperatures: Sequence[float] = (),
    unadvised: int = 0,
    elos: Sequence[int] = (),
) -> tuple[LevelConfig, ...]:
    """Levels from the weakest on: their simulations, the temperatures of the first of them, how many of
    the first know nothing of the game's policy, and how strong they are if that was measured."""
    hot = (*temperatures, *[0.0] * (len(simulations) - len(temperatures)))
    measured = elos or (None,) * len(simulations)
    return tuple(
        LevelConfig(simulated, temperature, Adviser.PRIOR if number >= unadvised else Adviser.NOBODY, elo)
        for number, (simulated, temperature, elo) in enumerate(zip(simulations, hot, measured, strict=True))
    )


def higher_levels(
    adviser: Adviser, simulations: Sequence[int], elos: Sequence[int] = ()
) -> tuple[LevelConfig, ...]:
    """Levels above `LEVELS`, which patterns or a network advise."""
    measured = elos or (None,) * len(simulations)
    return tuple(
        LevelConfig(simulated, adviser=adviser, elo=elo)
        for simulated, elo in zip(simulations, measured, strict=True)
    )


DEFAULT_LEVELS = level_configs(
    simulations=(20, 40, 80, 160, 320, 800, 2_500, 8_000, 25_000, 80_000),
    temperatures=(1.5, 1.0, 0.7, 0.4, 0.2),
)
"""Levels 1 to 10 of a game that has not been measured (docs/levels.md)."""


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a tree search; what it makes of them is told in `kakomi.search.mcts`."""

    exploration: float = 0.1
    """Weight of the upper confidence bound, for gains from 0 to 1."""
    equivalence: float = 500.0
    """Simulations after which an action's own mean counts as much as what was seen of it elsewhere in the
    simulations through its parent (AMAF); 0: only its own counts."""
    prior_visits: float = 2.0
    """How many such sightings the game's prior of an action stands for."""
    puct: float = 0.0
    """Weight of an action's share, by the game's prior, in the bound of PUCT; 0: RAVE as the three settings
    above have it."""
    fpu_reduction: float = 0.0
    """With PUCT: how much less than its parent has given so far an action not yet visited promises (the
    reduction of first-play urgency)."""
    prior_scale: float = 0.03
    """How much more an action must promise to deserve a share e times as large."""
    margin: float = 0.0
    """How much of a gain, 0 to 1, is the margin of the score and not the win alone."""
    margin_scale: float = 10.0
    """The lead in points that is worth half of that share."""
    playout_plies: float = 0.0
    """Plies after which a playout is cut off and judged by the scores then; 0: played to the end."""
    expand_after: float = 1.0
    """Visits of a leaf before it gets children."""

    use_candidates: float = 1.0
    """Whether (1 or 0) the game's policy may leave actions out of the tree,"""
    use_prior: float = 1.0
    """say what actions promise,"""
    use_playouts: float = 1.0
    """draw the actions of playouts"""
    use_decided: float = 1.0
    """and end them early, once it is decided who wins;"""
    use_proofs: float = 1.0
    """and whether wins, losses and draws that are proven end the search for anything better. To switch off is
    for measuring what each is worth. Without the last two, and with some `margin`, a search plays for as many
    points as it can have, and not for the win alone."""

    plain_exploration: float = 1.0
    """What plain UCT, the bar, plays best with; its gains lie between -1 and 1."""

    def __post_init__(self) -> None:
        for name in ("prior_visits", "prior_scale", "margin_scale"):
            if (given := getattr(self, name)) <= 0:
                raise ValueError(f"{name} is {given:g}; it must be above 0")

    def record(self) -> np.ndarray:
        """The settings as a one-element record array, for compiled code."""
        return np.array([astuple(self)], SEARCH_CONFIG)


SEARCH_CONFIG = np.dtype([(field.name, np.float64) for field in fields(SearchConfig)])
"""The record's type."""
