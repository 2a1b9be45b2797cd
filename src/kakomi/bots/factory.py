"""Bots by name."""

from kakomi.bots.bot import BeginnerBot, Bot, RandomBot, SearchBot
from kakomi.bots.levels import NUMBERS, LevelBot, level_number
from kakomi.bots.mirror import MirrorBot
from kakomi.bots.spec import BotSpec, parse_spec
from kakomi.core.level_config import MOST_LEVELS
from kakomi.core.wording import truncated_repr

RANDOM = "random"
BEGINNER = "beginner"
MIRROR = "mirror:"
THERE_ARE = (
    f"there are: levels 1 to {len(NUMBERS)} (some games have more), {RANDOM}, {BEGINNER}, {MIRROR}LEVEL, "
    "time:SECONDS, simulations:N, and uct:, search:, patterns: or net:FILE with settings such as "
    "search:seconds=1,threads=2 or net:rive.npz,cpu=1"
)


def make_bot(name: str | int, *, seed: int = 0) -> Bot:
    """A bot by name: a level from `1` to `10`, as a text or a number, and higher ones that some games have,
    `random`, `beginner`, `mirror:4` (copies, and else plays as level 4 does), `time:2.5` (seconds an action),
    `simulations:5000` (an action), `uct:...` for plain UCT, `search:...` with settings, or `patterns:...`
    and `net:FILE,...` for a search that patterns or a network advise (`kakomi.bots.spec`). Raises
    ValueError, saying what there is, for another name, and for what can't advise. Whether a bot can play a
    game `Bot.check` tells.
    """
    if type(name) is int and 1 <= name <= MOST_LEVELS:
        return LevelBot(name, seed)
    if not isinstance(name, str):
        raise ValueError(f"there is no bot {truncated_repr(name)}; {THERE_ARE}")
    if name == RANDOM:
        return RandomBot(seed)
    if name == BEGINNER:
        return BeginnerBot(seed)
    if level := level_number(name):
        return LevelBot(level, seed)
    if name.startswith(MIRROR) and (level := level_number(name.removeprefix(MIRROR))):
        return MirrorBot(level, seed)
    if spec := parse_spec(name):
        return SearchBot(spec, name=_told(name, spec), seed=seed)
    raise ValueError(f"there is no bot {truncated_repr(name)}; {THERE_ARE}")


def _told(name: str, spec: BotSpec) -> str:
    if spec == BotSpec(seconds=spec.seconds):
        return f"{spec.seconds:g} s an action"
    if spec == BotSpec(simulations=spec.simulations):
        return f"{spec.simulations:,} simulations an action"
    return name
