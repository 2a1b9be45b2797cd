"""Strengths by name; the levels are data."""

import math
from dataclasses import dataclass

from kakomi.bots.bot import Bot, RandomBot, SearchBot

RANDOM = "random"
BY_TIME = "time:"
BY_SIMULATIONS = "simulations:"


@dataclass(frozen=True)
class Level:
    """One strength: how many simulations each action is worth."""

    number: int
    simulations: int


LEVELS = tuple(
    Level(number, simulations)
    for number, simulations in enumerate(
        (10, 30, 100, 300, 1_000, 3_000, 10_000, 40_000, 150_000, 500_000), 1
    )
)
"""Three or four times as many from level to level; the last takes seconds on the largest boards."""
DEFAULT_LEVEL = "4"


def make_bot(name: str, *, seed: int = 0) -> Bot:
    """A bot by name: `random`, a level from `1` to `10`, `time:2.5` (seconds an action) or
    `simulations:5000` (an action). Raises ValueError, saying what there is, for another name.
    """
    if name == RANDOM:
        return RandomBot(seed)
    if name.startswith(BY_TIME) and 0 < (seconds := _number(name, BY_TIME)) < math.inf:
        return SearchBot(name=f"{seconds:g} s an action", seconds=seconds, seed=seed)
    if name.startswith(BY_SIMULATIONS) and 1 <= (simulations := _number(name, BY_SIMULATIONS)) < 1e15:
        return SearchBot(
            name=f"{simulations:,.0f} simulations an action", simulations=int(simulations), seed=seed
        )
    for level in LEVELS:
        if name == str(level.number):
            return SearchBot(name=f"level {name}", simulations=level.simulations, seed=seed)
    raise ValueError(
        f"there is no bot {name!r}; there are: {RANDOM}, levels 1 to {len(LEVELS)}, "
        f"{BY_TIME}SECONDS and {BY_SIMULATIONS}N"
    )


def _number(name: str, prefix: str) -> float:
    try:
        return float(name.removeprefix(prefix))
    except ValueError:
        return math.nan
