"""Search bots by name: `time:2.5`, `simulations:5000`, `best:seconds=1`, `uct:seconds=0.05`,
`search:cpu=0.05,equivalence=0`, `net:FILE,cpu=0.05`, `patterns:cpu=0.05`.
"""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from kakomi.core import Game
from kakomi.core.level_config import SearchConfig
from kakomi.core.option import resolve
from kakomi.search import AdvisedSearch, PlainSearch, Search
from kakomi.search.advised_search import ALONE, OwnEvaluator, advised
from kakomi.search.pattern_table import OWN_PATTERNS, PatternTable, own_patterns
from kakomi.search.search import MEMORY_MB, PATTERN_MIX, PatternSearch, by_patterns

SEARCH = "search"
PLAIN = "uct"
NET = "net"
PATTERNS = "patterns"
BEST = "best"
_KINDS = (SEARCH, PLAIN, NET, PATTERNS, BEST)
WITH_FILE = {NET: "network.npz", PATTERNS: OWN_PATTERNS}
"""Bot kind -> the name of the measured file that advises it."""
_USUAL_MIX = {NET: ALONE, PATTERNS: PATTERN_MIX}
"""The default share of the network or patterns in a simulation's value."""
_SHORT = {"time": "seconds", "simulations": "simulations", "cpu": "cpu"}
_LIMITS = ("simulations", "seconds", "cpu")
_OTHERS = ("temperature", "threads", "memory")
_SEARCH_CONFIG = tuple(field.name for field in fields(SearchConfig))
_SETTINGS = {
    SEARCH: (*_LIMITS, *_OTHERS, "points", *_SEARCH_CONFIG),
    PLAIN: (*_LIMITS, "temperature", "memory", "exploration"),
    NET: (*_LIMITS, "temperature", "memory", "mix", "points", *_SEARCH_CONFIG),
    PATTERNS: (*_LIMITS, *_OTHERS, "mix", "points", *_SEARCH_CONFIG),
    BEST: (*_LIMITS, *_OTHERS),
}


@dataclass(frozen=True)
class BotSpec:
    """The settings of a search bot, as its name gives them."""

    kind: str = SEARCH
    simulations: int | None = None
    seconds: float | None = None
    counts_cpu: bool = False
    """Whether seconds count this thread's processor time, which is fair between bots on a busy machine."""
    temperature: float = 0.0
    """How randomly the bot chooses among the searched actions; see `kakomi.core.level_config`."""
    threads: int = 1
    memory_mb: float = MEMORY_MB
    config: tuple[tuple[str, float], ...] = ()
    file: str = ""
    """The file of the network or patterns. If empty, kinds that need one use the game's own."""
    mix: float = 0.0
    """The share of the network or patterns in a simulation's value (`kakomi.search.AdvisedSearch`)."""

    def check(self, game: Game) -> None:
        """Raise ValueError if `make_search` would for this game."""
        if self.kind == NET:
            self._evaluator(game)
        elif self.kind == PATTERNS:
            self._table(game).patterns(game)

    def make_search(self, game: Game, seed: int) -> Search:
        """Make a search of this kind for a game. Raises ValueError if its file is for another game, or if
        it needs the game's own file and there is none."""
        if self.kind == BEST:
            best = strongest_spec(game, threads=self.threads, is_repeatable=False)
            return replace(self, kind=best.kind, mix=best.mix).make_search(game, seed)
        settings: dict[str, Any] = {"seed": seed, "memory_mb": self.memory_mb}
        if self.counts_cpu:
            settings["clock"] = time.thread_time
        if self.kind == PLAIN:
            return PlainSearch(game, exploration=dict(self.config).get("exploration"), **settings)
        own = game.description.search_config
        if self.kind == NET:
            config = replace(advised(own, self.mix), **dict(self.config))
            evaluator = self._evaluator(game)
            return AdvisedSearch(game, evaluator=evaluator, mix=self.mix, config=config, **settings)
        if self.kind == PATTERNS:
            config = replace(by_patterns(own), **dict(self.config))
            settings |= {"table": self._table(game), "mix": self.mix, "threads": self.threads}
            return PatternSearch(game, config=config, **settings)
        config = replace(own, **dict(self.config))
        return Search(game, config=config, threads=self.threads, **settings)

    def search_to_compile(self, game: Game) -> Search:
        """Make a search with little memory, for compiling it or checking whether it is compiled."""
        return replace(self, memory_mb=1).make_search(game, 0)

    def _evaluator(self, game: Game) -> OwnEvaluator:
        from kakomi.networks.evaluator import open_evaluator

        return open_evaluator(self.file_for(game), game)

    def _table(self, game: Game) -> PatternTable:
        path = Path(self.file_for(game))
        return PatternTable.load(path) if self.file else _own_table(path)

    def file_for(self, game: Game) -> str:
        """Return the named file, or the game's own one. Raises ValueError if there is neither."""
        if self.file:
            return self.file
        name = WITH_FILE[self.kind]
        found = game.description.measured_file(name)
        if found is None:
            raise ValueError(f"no {name} comes with {game.name}: name a file, as in {self.kind}:FILE,cpu=1")
        return str(found)


@lru_cache(maxsize=8)
def _own_table(path: Path) -> PatternTable:
    """Return a game's own table, cached because an analysis needs it for every position."""
    return PatternTable.load(path)


def strongest_search(
    game: Game,
    *,
    seed: int = 0,
    threads: int = 1,
    memory_mb: float = MEMORY_MB,
    is_repeatable: bool = True,
) -> Search:
    """Make the search that plays a game best in equal time, for advice and analysis (`strongest_spec`)."""
    spec = strongest_spec(game, threads=threads, is_repeatable=is_repeatable)
    return replace(spec, memory_mb=memory_mb).make_search(game, seed)


def strongest_spec(game: Game, *, threads: int = 1, is_repeatable: bool = True) -> BotSpec:
    """Return the settings of the strongest search for a game, without a limit.

    For two players, it uses the game's network on the board of the default options and on the boards that
    the network was trained on, where it wins matches (docs/networks.md). Elsewhere it uses the game's
    patterns, if there are any; they too are for two players. A network runs on one thread and makes each
    simulation slower. So it is left out with several threads, and with `is_repeatable`, where a limit in
    simulations should keep giving the same answer in about the same time.
    """
    if threads == 1 and not is_repeatable and _is_known_to_network(game):
        return BotSpec(NET, mix=ALONE)
    if own_patterns(game):
        return BotSpec(PATTERNS, threads=threads, mix=PATTERN_MIX)
    return BotSpec(threads=threads)


def _is_known_to_network(game: Game) -> bool:
    """Whether the game has two players and a network for this board, whatever the komi."""
    description = game.description
    file = description.measured_file(WITH_FILE[NET])
    if file is None or game.players != 2:
        return False
    boards = (resolve(description.name, description.options, {}), *_boards_of(str(file)))
    return description.without_komi(game.options) in map(description.without_komi, boards)


@lru_cache(maxsize=8)
def _boards_of(file: str) -> tuple[Mapping[str, int], ...]:
    """Return the options of the boards that a network was trained on."""
    from kakomi.networks.weights import read_network

    return read_network(file).boards


def strongest_specs(game: Game, *, threads: int = 1) -> set[BotSpec]:
    """Return the specs of the repeatable and the other strongest search, which are often the same."""
    return {strongest_spec(game, threads=threads, is_repeatable=each) for each in (True, False)}


def parse_spec(name: str) -> BotSpec | None:
    """Parse a bot's name; None if it names no search bot. Raises ValueError for a bad setting or file."""
    kind, colon, rest = name.partition(":")
    if not colon or (kind not in _SHORT and kind not in _KINDS):
        return None
    file = ""
    if kind in WITH_FILE:
        first, _, others = rest.partition(",")
        if "=" not in first:
            file, rest = first, others
    pairs = [part.partition("=") for part in rest.split(",")] if rest or kind not in WITH_FILE else []
    if kind in _SHORT:
        pairs[0] = (_SHORT[kind], "=", pairs[0][0]) if not pairs[0][1] else pairs[0]
        kind = SEARCH
    settings: dict[str, float] = {}
    for key, equals, value in pairs:
        settings[_checked_setting(key, kind)] = _number(key, value if equals else "")
    spec = _checked(kind, settings)
    if kind == NET and file:
        _check_network(file)
    elif kind == PATTERNS and file:
        PatternTable.load(Path(file))
    return replace(spec, file=file)


def _check_network(file: str) -> None:
    """Raise ValueError if the file is no network, or the extra that runs networks isn't installed."""
    from kakomi.networks.evaluator import check_network

    try:
        check_network(file)
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from None


def _checked_setting(key: str, kind: str) -> str:
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
    if "points" in settings:
        config = _for_points(settings["points"]) | config
    SearchConfig(**config)  # raises ValueError with the reason
    return BotSpec(
        kind=kind,
        simulations=None if simulations is None else max(1, int(simulations)),
        seconds=settings.get("seconds", settings.get("cpu")),
        counts_cpu="cpu" in limits,
        temperature=settings.get("temperature", 0.0),
        threads=threads,
        memory_mb=settings.get("memory", 256.0),
        config=tuple(config.items()),
        mix=_mix(settings.get("mix", _USUAL_MIX.get(kind, 0.0))),
    )


def _for_points(share: float) -> dict[str, float]:
    """Return the settings of a search that keeps playing for points after the winner is known."""
    if not 0 < share <= 1:
        raise ValueError(
            f"points is {share:g}; it must be above 0, and 1 at most: then winning counts nothing"
        )
    return {"margin": share, "use_decided": 0.0, "use_proofs": 0.0}


def _mix(share: float) -> float:
    if share > 1:
        raise ValueError(f"mix is {share:g}; it must be from 0, playouts alone, to 1, no playouts")
    return share
