"""Bots by name: `time:2.5`, `simulations:5000`, `uct:seconds=0.05`, `search:cpu=0.05,equivalence=0`,
`net:FILE,cpu=0.05`.
"""

import math
import time
from dataclasses import dataclass, fields, replace
from typing import Any

from kakomi.core import Game
from kakomi.core.search_config import SearchConfig
from kakomi.search import AdvisedSearch, PlainSearch, Search
from kakomi.search.advised_search import advised

SEARCH = "search"
PLAIN = "uct"
NET = "net"
_KINDS = (SEARCH, PLAIN, NET)
_SHORT = {"time": "seconds", "simulations": "simulations", "cpu": "cpu"}
_LIMITS = ("simulations", "seconds", "cpu")
_OTHERS = ("temperature", "threads", "memory")
_SEARCH_CONFIG = tuple(field.name for field in fields(SearchConfig))
_SETTINGS = {
    SEARCH: (*_LIMITS, *_OTHERS, *_SEARCH_CONFIG),
    PLAIN: (*_LIMITS, "temperature", "memory", "exploration"),
    NET: (*_LIMITS, "temperature", "memory", "mix", *_SEARCH_CONFIG),
}


@dataclass(frozen=True)
class BotSpec:
    """A searching bot as its name spells it out."""

    kind: str = SEARCH
    simulations: int | None = None
    seconds: float | None = None
    counts_cpu: bool = False
    """Whether seconds are of this thread's processor time: fair between bots on a busy machine."""
    temperature: float = 0.0
    """How freely the bot chooses among what it searched; see `kakomi.core.level_config`."""
    threads: int = 1
    memory_mb: float = 256.0
    config: tuple[tuple[str, float], ...] = ()
    network: str = ""
    """The ONNX file of the network that advises the search; empty for other kinds."""
    mix: float = 0.0
    """The network's share in the value of a simulation (`kakomi.search.AdvisedSearch`)."""

    def make_search(self, game: Game, seed: int) -> Search:
        """A search of this kind for a game. Raises ValueError where its network is none for this game."""
        settings: dict[str, Any] = {"seed": seed, "memory_mb": self.memory_mb}
        if self.counts_cpu:
            settings["clock"] = time.thread_time
        if self.kind == PLAIN:
            return PlainSearch(game, exploration=dict(self.config).get("exploration"), **settings)
        own = game.description.search_config
        if self.kind == NET:
            from kakomi.learn.evaluator import OnnxEvaluator

            evaluator = OnnxEvaluator(self.network, game)
            config = replace(advised(own, self.mix), **dict(self.config))
            return AdvisedSearch(game, evaluator=evaluator, mix=self.mix, config=config, **settings)
        config = replace(own, **dict(self.config))
        return Search(game, config=config, threads=self.threads, **settings)


def parse_spec(name: str) -> BotSpec | None:
    """The specification that a name spells; None for other names. Raises ValueError for a wrong setting."""
    kind, colon, rest = name.partition(":")
    if not colon or (kind not in _SHORT and kind not in _KINDS):
        return None
    network = ""
    if kind == NET:
        network, _, rest = rest.partition(",")
        if not network or "=" in network:
            raise ValueError("a net bot begins with the file of its network: net:FILE,cpu=1")
    pairs = [part.partition("=") for part in rest.split(",")] if rest or kind != NET else []
    if kind in _SHORT:
        pairs[0] = (_SHORT[kind], "=", pairs[0][0]) if not pairs[0][1] else pairs[0]
        kind = SEARCH
    settings: dict[str, float] = {}
    for key, equals, value in pairs:
        settings[_known(key, kind)] = _number(key, value if equals else "")
    spec = _checked(kind, settings)
    if kind == NET:
        _check_file(network)
    return replace(spec, network=network)


def _check_file(network: str) -> None:
    """Raises ValueError for what is no network, and where the extra is missing that runs it."""
    from kakomi.learn.evaluator import open_network

    try:
        open_network(network)
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from None


def _known(key: str, kind: str) -> str:
    known = _SETTINGS[kind]
    if key not in known:
        raise ValueError(f"a {kind} bot has no setting {key!r}; there are: {', '.join(known)}")
    return key


def _number(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not 0 <= number < 1e15:
        raise ValueError(f"{key} is {value!r}; it must be a number, 0 or more")
    return number


def _checked(kind: str, settings: dict[str, float]) -> BotSpec:
    limits = [key for key in _LIMITS if key in settings]
    if not limits or min(settings[key] for key in limits) <= 0:
        raise ValueError(
            f"a {kind} bot needs a limit above 0: simulations, seconds or cpu (processor seconds)"
        )
    if "seconds" in limits and "cpu" in limits:
        raise ValueError("a bot counts either seconds or cpu (processor seconds), not both")
    threads = int(settings.get("threads", 1))
    if threads < 1 or ("cpu" in limits and threads > 1):
        raise ValueError("threads must be 1 or more, and 1 where processor seconds are counted")
    simulations = settings.get("simulations")
    config = {key: value for key, value in settings.items() if key in _SEARCH_CONFIG}
    SearchConfig(**config)  # raises, saying what is wrong with them
    return BotSpec(
        kind=kind,
        simulations=None if simulations is None else max(1, int(simulations)),
        seconds=settings.get("seconds", settings.get("cpu")),
        counts_cpu="cpu" in limits,
        temperature=settings.get("temperature", 0.0),
        threads=threads,
        memory_mb=settings.get("memory", 256.0),
        config=tuple(config.items()),
        mix=_mix(settings.get("mix", 0.0)),
    )


def _mix(share: float) -> float:
    if share > 1:
        raise ValueError(f"mix is {share:g}; it must be from 0, playouts alone, to 1, the network alone")
    return share
