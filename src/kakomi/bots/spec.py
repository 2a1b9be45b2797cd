"""Bots by name: `time:2.5`, `simulations:5000`, `uct:seconds=0.05`, `search:cpu=0.05,equivalence=0`,
`net:FILE,cpu=0.05`, `patterns:cpu=0.05`.
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
_KINDS = (SEARCH, PLAIN, NET, PATTERNS)
_WITH_FILE = {NET: "network.npz", PATTERNS: OWN_PATTERNS}
"""Kinds that a file advises, and its name in a game's folder."""
_USUAL_MIX = {NET: ALONE, PATTERNS: PATTERN_MIX}
"""The share in a value of what advises, if nothing is said."""
_SHORT = {"time": "seconds", "simulations": "simulations", "cpu": "cpu"}
_LIMITS = ("simulations", "seconds", "cpu")
_OTHERS = ("temperature", "threads", "memory")
_SEARCH_CONFIG = tuple(field.name for field in fields(SearchConfig))
_SETTINGS = {
    SEARCH: (*_LIMITS, *_OTHERS, "points", *_SEARCH_CONFIG),
    PLAIN: (*_LIMITS, "temperature", "memory", "exploration"),
    NET: (*_LIMITS, "temperature", "memory", "mix", "points", *_SEARCH_CONFIG),
    PATTERNS: (*_LIMITS, *_OTHERS, "mix", "points", *_SEARCH_CONFIG),
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
    memory_mb: float = MEMORY_MB
    config: tuple[tuple[str, float], ...] = ()
    file: str = ""
    """The network, or the patterns, that advise the search; empty: those that come with the game, for kinds
    that have any."""
    mix: float = 0.0
    """Their share in the value of a simulation (`kakomi.search.AdvisedSearch`)."""

    def check(self, game: Game) -> None:
        """Raises ValueError where a search for a game can't be made, as `make_search` says."""
        if self.kind == NET:
            self._evaluator(game)
        elif self.kind == PATTERNS:
            self._table(game).patterns(game)

    def make_search(self, game: Game, seed: int) -> Search:
        """A search of this kind for a game. Raises ValueError where its file is none for this game, or none
        comes with the game."""
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
        """A small search of this kind, to compile it or to see whether that is done."""
        return replace(self, memory_mb=1).make_search(game, 0)

    def _evaluator(self, game: Game) -> OwnEvaluator:
        from kakomi.learn.evaluator import open_evaluator

        return open_evaluator(self.file_for(game), game)

    def _table(self, game: Game) -> PatternTable:
        path = Path(self.file_for(game))
        return PatternTable.load(path) if self.file else _own_table(path)

    def file_for(self, game: Game) -> str:
        """The file that is named, or the one that comes with the game."""
        if self.file:
            return self.file
        name = _WITH_FILE[self.kind]
        found = game.description.file(name)
        if found is None:
            raise ValueError(f"no {name} comes with {game.name}: name a file, as in {self.kind}:FILE,cpu=1")
        return str(found)


@lru_cache(maxsize=8)
def _own_table(path: Path) -> PatternTable:
    """That of a game, which an analysis would else read again for every position."""
    return PatternTable.load(path)


def strongest_search(
    game: Game,
    *,
    seed: int = 0,
    threads: int = 1,
    memory_mb: float = MEMORY_MB,
    is_repeatable: bool = True,
) -> Search:
    """The search that plays a game best in equal time, for who advises people or analyses.

    What advises it is that of `strongest_spec`.
    """
    spec = strongest_spec(game, threads=threads, is_repeatable=is_repeatable)
    return replace(spec, memory_mb=memory_mb).make_search(game, seed)


def strongest_spec(game: Game, *, threads: int = 1, is_repeatable: bool = True) -> BotSpec:
    """The settings of that search, without a limit.

    The network that comes with the game advises it between two players, on the board of default options and
    on those that it learned on: there matches say that it is better (docs/networks.md). Elsewhere the game's
    patterns do, if it has any; they know of games between two players. A network uses one thread, and takes
    longer over a simulation. So none is asked where there are several threads to use, or where a limit in
    simulations is to give the same answer in the same time as ever (`is_repeatable`).
    """
    if threads == 1 and not is_repeatable and _is_known_to_network(game):
        return BotSpec(NET, mix=ALONE)
    if own_patterns(game):
        return BotSpec(PATTERNS, threads=threads, mix=PATTERN_MIX)
    return BotSpec(threads=threads)


def _is_known_to_network(game: Game) -> bool:
    """Whether a network comes with a game for two that knows this board, whatever its komi."""
    description = game.description
    file = description.file(_WITH_FILE[NET])
    if file is None or game.players != 2:
        return False
    boards = (resolve(description.name, description.options, {}), *_boards_of(str(file)))
    return description.without_komi(game.options) in map(description.without_komi, boards)


@lru_cache(maxsize=8)
def _boards_of(file: str) -> tuple[Mapping[str, int], ...]:
    """The boards that a network learned on."""
    from kakomi.learn.weights import read_network

    return read_network(file).boards


def strongest_specs(game: Game, *, threads: int = 1) -> set[BotSpec]:
    """Those of the repeatable search and of the other, often the same."""
    return {strongest_spec(game, threads=threads, is_repeatable=each) for each in (True, False)}


def parse_spec(name: str) -> BotSpec | None:
    """The specification that a name spells; None for other names. Raises ValueError for a wrong setting."""
    kind, colon, rest = name.partition(":")
    if not colon or (kind not in _SHORT and kind not in _KINDS):
        return None
    file = ""
    if kind in _WITH_FILE:
        first, _, others = rest.partition(",")
        if "=" not in first:
            file, rest = first, others
    pairs = [part.partition("=") for part in rest.split(",")] if rest or kind not in _WITH_FILE else []
    if kind in _SHORT:
        pairs[0] = (_SHORT[kind], "=", pairs[0][0]) if not pairs[0][1] else pairs[0]
        kind = SEARCH
    settings: dict[str, float] = {}
    for key, equals, value in pairs:
        settings[_known(key, kind)] = _number(key, value if equals else "")
    spec = _checked(kind, settings)
    if kind == NET and file:
        _check_network(file)
    elif kind == PATTERNS and file:
        PatternTable.load(Path(file))
    return replace(spec, file=file)


def _check_network(file: str) -> None:
    """Raises ValueError for a file that is no network, and where the extra is missing that runs it."""
    from kakomi.learn.evaluator import check_network

    try:
        check_network(file)
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
    if "points" in settings:
        config = _for_points(settings["points"]) | config
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
        mix=_mix(settings.get("mix", _USUAL_MIX.get(kind, 0.0))),
    )


def _for_points(share: float) -> dict[str, float]:
    """The settings of a search that plays on for points after it knows who wins."""
    if not 0 < share <= 1:
        raise ValueError(
            f"points is {share:g}; it must be above 0, and 1 at most: then winning counts nothing"
        )
    return {"margin": share, "use_decided": 0.0, "use_proofs": 0.0}


def _mix(share: float) -> float:
    if share > 1:
        raise ValueError(f"mix is {share:g}; it must be from 0, playouts alone, to 1, no playouts")
    return share
