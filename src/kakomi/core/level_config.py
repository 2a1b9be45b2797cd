"""How strong a bot's level is, the same on any machine."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LevelConfig:
    """What a bot of some level does for an action."""

    simulations: int
    temperature: float = 0.0
    """How freely it chooses among the actions that it searched: each with a chance in proportion to its
    visits to the power of 1 / temperature. 0: the best."""
    is_advised: bool = True
    """Whether it knows what the game's policy promises of actions."""


LEVELS = 10

DEFAULT_LEVELS: Sequence[LevelConfig] = tuple(
    LevelConfig(simulations, temperature)
    for simulations, temperature in (
        (20, 1.5),
        (40, 1.0),
        (80, 0.7),
        (160, 0.4),
        (320, 0.2),
        (800, 0.0),
        (2_500, 0.0),
        (8_000, 0.0),
        (25_000, 0.0),
        (80_000, 0.0),
    )
)
"""Levels 1 to 10 of a game that has not been measured (docs/levels.md)."""
