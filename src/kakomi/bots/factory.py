"""Bots by name."""

from kakomi.bots.bot import BeginnerBot, Bot, RandomBot, SearchBot
from kakomi.bots.levels import NUMBERS, LevelBot
from kakomi.bots.mirror import MirrorBot
from kakomi.bots.spec import BotSpec, parse_spec
from kakomi.core.wording import truncated_repr

RANDOM = "random"
BEGINNER = "beginner"
MIRROR = "mirror:"
THERE_ARE = (
    f"there are: levels 1 to {len(NUMBERS)}, {RANDOM}, {BEGINNER}, {MIRROR}LEVEL, time:SECONDS, "
    "simulations:N, uct: or search: with settings such as search:seconds=1,threads=2, and net:FILE with "
    "settings such as net:rive.onnx,cpu=1,mix=0.5"
)


def make_bot(name: str | int, *, seed: int = 0) -> Bot:
    """A bot by name: a level from `1` to `10`, as a text or a number, `random`, `beginner`, `mirror:4`
    (copies, and else plays as level 4 does), `time:2.5` (seconds an action), `simulations:5000` (an
    action), `uct:...` for plain UCT, `search:...` with settings, or `net:FILE,...` for a search that a
    network advises (`kakomi.bots.spec`). Raises ValueError, saying what there is, for another name, and for
    a network that can't be run.
    """
    if type(name) is int and name in NUMBERS:
        return LevelBot(name, seed)
    if not isinstance(name, str):
        raise ValueError(f"there is no bot {truncated_repr(name)}; {THERE_ARE}")
    if name == RANDOM:
        return RandomBot(seed)
    if name == BEGINNER:
        return BeginnerBot(seed)
    if name in map(str, NUMBERS):
        return LevelBot(int(name), seed)
    if name.removeprefix(MIRROR) in map(str, NUMBERS):
        return MirrorBot(int(name.removeprefix(MIRROR)), seed)
    if spec := parse_spec(name):
        return SearchBot(spec, name=_told(name, spec), seed=seed)
    raise ValueError(f"there is no bot {truncated_repr(name)}; {THERE_ARE}")


def _told(name: str, spec: BotSpec) -> str:
    if spec == BotSpec(seconds=spec.seconds):
        return f"{spec.seconds:g} s an action"
    if spec == BotSpec(simulations=spec.simulations):
        return f"{spec.simulations:,} simulations an action"
    return name
