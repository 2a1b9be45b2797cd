"""How strong a bot's level is, the same on any machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


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
