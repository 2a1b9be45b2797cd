"""Named strengths, as data."""

from dataclasses import dataclass

from kakomi.bots.bot import Bot, RandomBot, SearchBot

RANDOM = "random"


@dataclass(frozen=True)
class Level:
    """One strength: how many simulations each action is worth."""

    number: int
    simulations: int


LEVELS = tuple(
    Level(number, simulations)
    for number, simulations in enumerate((10, 30, 100, 300, 1_000, 3_000, 10_000, 20_000, 40_000, 80_000), 1)
)
"""Each about as far above the one before, until time becomes short."""
DEFAULT_LEVEL = 4


def bot_names() -> list[str]:
    """All that `make_bot` knows."""
    return [RANDOM, *(str(level.number) for level in LEVELS)]


def make_bot(name: str, *, seed: int = 0) -> Bot:
    """A bot by name: `random`, or a level from `1` to `10`. Raises ValueError for another name."""
    if name == RANDOM:
        return RandomBot(seed)
    for level in LEVELS:
        if name == str(level.number):
            return SearchBot(name=f"level {name}", simulations=level.simulations, seed=seed)
    raise ValueError(f"there is no bot {name!r}; there are: {RANDOM}, and levels 1 to {len(LEVELS)}")
