"""Bots by name."""

from kakomi.bots.beginner import BeginnerBot
from kakomi.bots.bot import Bot, RandomBot, SearchBot
from kakomi.bots.levels import NUMBERS, LevelBot
from kakomi.bots.spelling import Spelling, spelled

RANDOM = "random"
BEGINNER = "beginner"


def make_bot(name: str, *, seed: int = 0) -> Bot:
    """A bot by name: a level from `1` to `10`, `random`, `beginner`, `time:2.5` (seconds an action),
    `simulations:5000` (an action), `uct:...` for plain UCT or `search:...` with settings
    (`kakomi.bots.spelling`). Raises ValueError, saying what there is, for another name.
    """
    if name == RANDOM:
        return RandomBot(seed)
    if name == BEGINNER:
        return BeginnerBot(seed)
    if name in map(str, NUMBERS):
        return LevelBot(int(name), seed)
    if spelling := spelled(name):
        return SearchBot(spelling, name=_told(name, spelling), seed=seed)
    raise ValueError(
        f"there is no bot {name!r}; there are: levels 1 to {len(NUMBERS)}, {RANDOM}, {BEGINNER}, "
        "time:SECONDS, simulations:N, and uct: or search: with settings such as search:seconds=1,threads=2"
    )


def _told(name: str, spelling: Spelling) -> str:
    if spelling == Spelling(seconds=spelling.seconds):
        return f"{spelling.seconds:g} s an action"
    if spelling == Spelling(simulations=spelling.simulations):
        return f"{spelling.simulations:,} simulations an action"
    return name
