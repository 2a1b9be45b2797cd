"""Bots by name."""

from kakomi.bots.bot import BeginnerBot, Bot, RandomBot, SearchBot
from kakomi.bots.levels import NUMBERS, LevelBot, level_number
from kakomi.bots.mirror import MirrorBot
from kakomi.bots.spec import BotSpec, parse_spec
from kakomi.core.i18n import truncated_repr
from kakomi.core.level_config import MOST_LEVELS

RANDOM = "random"
BEGINNER = "beginner"
MIRROR = "mirror:"
KNOWN_BOTS = (
    f"bots are levels 1 to {len(NUMBERS)} (some games have more), {RANDOM}, {BEGINNER}, {MIRROR}LEVEL, "
    "time:SECONDS, simulations:N, and best:, uct:, search:, patterns: or net:FILE with settings such as "
    "best:seconds=1, search:seconds=1,threads=2 or net:rive.npz,cpu=1"
)


def make_bot(name: str | int, *, seed: int = 0) -> Bot:
    """Make a bot by name.

    Names are a level from `1` to `10`, as a text or a number (some games have higher ones), `random`,
    `beginner`, `mirror:4` (copies turns, and otherwise plays like level 4), `time:2.5` (seconds per action),
    `simulations:5000` (per action), `best:seconds=1` for what wins matches in that game, `uct:...` for plain
    UCT, `search:...` with settings, and `patterns:...` or `net:FILE,...` for a search with patterns or a
    network (`kakomi.bots.spec`). Raises ValueError for an unknown name, listing the known ones, or an
    unusable file. `Bot.check` checks a bot against a game.
    """
    if type(name) is int and 1 <= name <= MOST_LEVELS:
        return LevelBot(name, seed)
    if not isinstance(name, str):
        raise ValueError(f"there is no bot {truncated_repr(name)}; {KNOWN_BOTS}")
    if name == RANDOM:
        return RandomBot(seed)
    if name == BEGINNER:
        return BeginnerBot(seed)
    if level := level_number(name):
        return LevelBot(level, seed)
    if name.startswith(MIRROR) and (level := level_number(name.removeprefix(MIRROR))):
        return MirrorBot(level, seed)
    if spec := parse_spec(name):
        return SearchBot(spec, name=_display_name(name, spec), seed=seed)
    raise ValueError(f"there is no bot {truncated_repr(name)}; {KNOWN_BOTS}")


def _display_name(name: str, spec: BotSpec) -> str:
    if spec == BotSpec(seconds=spec.seconds):
        return f"{spec.seconds:g} s per action"
    if spec == BotSpec(simulations=spec.simulations):
        return f"{spec.simulations:,} simulations per action"
    return name
