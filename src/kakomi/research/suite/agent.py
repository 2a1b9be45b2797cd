"""Agents: bots of ours within a track's budget, and anybody's functions; and what a result was made with, as
hashes of rules, opponents, weights and agents.
"""

import hashlib
import importlib
import importlib.util
import inspect
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from kakomi import catalog
from kakomi.bots import Bot, levels_of, make_bot
from kakomi.bots.levels import level_number, spec_of_level
from kakomi.bots.spec import parse_spec
from kakomi.core import Game, Position
from kakomi.core.seeds import derived_seed
from kakomi.kernel import random_state
from kakomi.protocol import EngineError
from kakomi.research.observation import observe
from kakomi.research.suite.track import Budget, Task, Track
from kakomi.study.tournament import PATIENCE_SECONDS, make_entrant
from kakomi.study.tournament.games import opening, random_walk

ALIASES = {"greedy": "beginner"}
PROGRAM = "cmd:"
SEARCHES = ("search", "uct", "net", "patterns")
LIMITS = ("simulations", "seconds", "cpu")
OTHERS = ("mirror", "time", "simulations", "cmd")
ALLOWANCE = 10
"""Actions whose processor time a function may have spent in advance."""
_FUNCTION = re.compile(r"(?P<module>.+):(?P<name>[A-Za-z_]\w*)")


class AgentError(ValueError):
    """An agent that isn't one, or that breaks a track's budget."""


def is_function(spec: str) -> bool:
    """Whether a name means a function or class of Python: `module:function` or `path/file.py:function`."""
    found = _FUNCTION.fullmatch(spec)
    return bool(found) and spec.partition(":")[0] not in (*SEARCHES, *OTHERS)


def budgeted(agent: str, budget: Budget, tasks: list[Task], seed: int = 1) -> str:
    """An agent's name with a track's budget in it: `search` becomes `search:simulations=400`.

    `{seed}` in it becomes the seed, for agents that learned once for each seed; `{game}` stays for
    `spec_of_task`. Functions and programs stay as they are. Raises AgentError, saying what would be right,
    for an unknown agent, for one that can't play a task, and for one that takes more than the budget.
    """
    spec = ALIASES.get(agent, agent).replace("{seed}", str(seed))
    if is_function(spec) or spec.startswith(PROGRAM):
        return spec
    if spec.partition(":")[0] in SEARCHES:
        spec = _within(spec, budget)
    elif level := level_number(spec):
        _check_level(level, budget, tasks)
    elif spec not in ("random", "beginner"):
        raise AgentError(
            f"there is no agent {agent!r}; there are: random, greedy, levels such as 3, search, uct, "
            "patterns, net:FILE, cmd:PROGRAM, and module:function or file.py:function"
        )
    _check_plays(spec, tasks)
    return spec


def spec_of_task(spec: str, task: Task) -> str:
    """An agent's name for one task: `{game}` becomes the task's game, for who learned each by itself."""
    return spec.replace("{game}", task.game)


def _within(spec: str, budget: Budget) -> str:
    kind, _, rest = spec.partition(":")
    parts = [part for part in rest.split(",") if part]
    limits = [part for part in parts if part.partition("=")[0] in LIMITS]
    for part in limits:
        key, _, value = part.partition("=")
        allowed = budget.simulations if key == "simulations" else budget.cpu if key == "cpu" else None
        if allowed is None or not _is_at_most(value, allowed):
            raise AgentError(f"{spec}: the track gives {budget.limit} an action; leave {part} out")
    return f"{kind}:{','.join(parts if limits else [*parts, budget.limit])}"


def _is_at_most(value: str, allowed: float) -> bool:
    try:
        return 0 < float(value) <= allowed
    except ValueError:
        return False


def _check_level(level: int, budget: Budget, tasks: list[Task]) -> None:
    for task in tasks:
        description = catalog.describe(task.game)
        if level not in levels_of(description):
            raise AgentError(f"{task.game} has no level {level}")
        takes = spec_of_level(description.levels[level - 1]).simulations or 0
        if budget.simulations is None or takes > budget.simulations:
            raise AgentError(
                f"level {level} takes {takes:,} simulations an action in {task.game}; "
                f"the track gives {budget.limit}"
            )


def _check_plays(spec: str, tasks: list[Task]) -> None:
    for task in tasks:
        own = spec_of_task(spec, task)
        try:
            make_bot(own).check(task.found_game)
        except ValueError as error:
            raise AgentError(f"{own}: {error}") from None


@dataclass(frozen=True)
class AgentMaker:
    """Makes players by their names, in whatever process a game is played."""

    budget: Budget

    def __call__(self, spec: str, *, seed: int, patience: float) -> Bot:
        """A player for one game. Raises AgentError for a function that isn't there."""
        if is_function(spec):
            return FunctionBot(spec, seed, self.budget)
        return make_entrant(spec, seed=seed, patience=patience)


class FunctionBot(Bot):
    """A function as a player for one game.

    It is called as `f(position)` or `f(observation, mask)`, by the number of its parameters, and returns the
    number or the text of an action. A class is made first, as `C(game, seed, budget)`, and then called.
    Where the budget is processor time it has a bank of it: so much an action, and ten actions' in advance.
    """

    def __init__(self, spec: str, seed: int, budget: Budget) -> None:
        super().__init__(spec, seed)
        self._found = found_function(spec)
        self._budget = budget
        self._call: Callable[..., Any] | None = None
        self._takes_position = True
        self._actions = 0
        self._seconds = 0.0

    def choose(self, position: Position, *, stop: threading.Event | None = None) -> int:
        """What the function answers. Raises AgentError for what is no action, IllegalAction for an unknown
        text, and EngineError once the processor time is used up."""
        del stop
        started = time.process_time()
        answer = self._ask(position)
        self._seconds += time.process_time() - started
        self._actions += 1
        self._check_bank()
        return self._number(answer, position.game)

    def _ask(self, position: Position) -> Any:
        call = self._call or self._made(position.game)
        return call(position) if self._takes_position else call(*observe(position))

    def _made(self, game: Game) -> Callable[..., Any]:
        found = self._found
        call = found(game, self._seed, self._budget) if isinstance(found, type) else found
        if not callable(call):
            raise AgentError(f"{self.name}: what the class makes can't be called; give it a __call__")
        needed = [one for one in inspect.signature(call).parameters.values() if one.default is one.empty]
        if len(needed) not in (1, 2):
            raise AgentError(
                f"{self.name} takes {len(needed)} arguments; it must take a position, "
                "or an observation and a mask"
            )
        self._call, self._takes_position = call, len(needed) == 1
        return call

    def _number(self, answer: Any, game: Game) -> int:
        if isinstance(answer, str):
            return game.action(answer)
        try:
            return int(answer.__index__())
        except AttributeError:
            raise AgentError(
                f"{self.name} answered {answer!r}; it must be an action's number or its text"
            ) from None

    def _check_bank(self) -> None:
        cpu = self._budget.cpu
        if cpu is not None and self._seconds > cpu * (self._actions + ALLOWANCE):
            raise EngineError(
                f"it took {self._seconds:.1f} s of processor time for {self._actions} actions; "
                f"the track gives {cpu:g} s an action"
            )


def found_function(spec: str) -> Callable[..., Any]:
    """The function or class that a name means. Raises AgentError if it isn't there or can't be called."""
    where, _, name = spec.rpartition(":")
    found = getattr(_module(where), name, None)
    if found is None:
        raise AgentError(f"{where} has no {name!r}")
    if not callable(found):
        raise AgentError(f"{spec} is no function and no class")
    return found  # type: ignore[no-any-return]


def source_of(spec: str) -> str:
    """The file in which a function's module is written; empty where it has none."""
    return _module(spec.rpartition(":")[0]).__file__ or ""


@cache
def _module(where: str) -> ModuleType:
    if where.endswith(".py"):
        return _from_file(Path(where))
    try:
        return importlib.import_module(where)
    except ImportError as error:
        raise AgentError(f"{where} can't be imported: {error}") from None


def _from_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise AgentError(f"there is no file {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GAMES = 3
MOST_PLIES = 400


@cache
def rules_hash(game: Game) -> str:
    """SHA-256 over what the rules do in three seeded random games: who acts, what is legal, how it ends.

    It tells rules apart by what they do and not by their source, so that it is the same for every version of
    Python and for faster code.
    """
    digest = hashlib.sha256("\n".join(game.action_texts).encode())
    for number in range(GAMES):
        rng = random_state(derived_seed(number, "rules", game.name))
        for position in islice(random_walk(game.start(), rng), MOST_PLIES + 1):
            legal = [] if position.is_over else position.legal_actions()
            digest.update(repr((position.to_move, list(map(int, legal)), position.scores())).encode())
    return digest.hexdigest()


def opponents_hash(track: Track) -> str:
    """SHA-256 over what each opponent of a track does at the start of each task and after one opening; empty
    for a track in which opponents think for so many seconds."""
    if track.budget.cpu is not None:
        return ""
    digest = hashlib.sha256()
    make = AgentMaker(track.budget)
    for task in track.tasks:
        for opponent in track.opponents:
            bot = make(opponent, seed=derived_seed(1, track.id, "opponent"), patience=PATIENCE_SECONDS)
            for position in _looked_at(track, task):
                digest.update(position.game.action_texts[bot.choose(position)].encode() + b"\n")
    return digest.hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file. Raises OSError."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def weights_hashes(specs: list[str], tasks: list[Task], files: list[Path]) -> dict[str, str]:
    """SHA-256 of each file that an agent plays by: networks and tables that its names mean, and those given.

    Raises OSError for a file that can't be read.
    """
    found = {str(path): path for path in files}
    for spec in specs:
        for task in tasks:
            found |= _advice(spec_of_task(spec, task), task.found_game)
    return {name: file_hash(path) for name, path in found.items()}


def code_hash(specs: list[str], tasks: list[Task]) -> str:
    """SHA-256 of the source files of the functions among some agents; empty without any."""
    own = dict.fromkeys(spec_of_task(spec, task) for spec in specs for task in tasks)
    sources = dict.fromkeys(source_of(spec) for spec in own if is_function(spec))
    joined = "".join(sorted(file_hash(Path(source)) for source in sources if source))
    return hashlib.sha256(joined.encode()).hexdigest() if joined else ""


def _advice(spec: str, game: Game) -> dict[str, Path]:
    """The file that advises a bot, as its name calls it, or `ren/patterns.npz` for one of the game's own."""
    parsed = None if is_function(spec) or spec.startswith(PROGRAM) else parse_spec(spec)
    if parsed is None or parsed.kind not in ("net", "patterns"):
        return {}
    path = Path(parsed.file_for(game))
    return {parsed.file or f"{game.name}/{path.name}": path}


def _looked_at(track: Track, task: Task) -> Iterator[Position]:
    position = task.found_game.start()
    yield position
    for action in opening(task.found_game, derived_seed(1, track.id), 2 * task.found_game.players):
        position = position.play_action(action)
    yield position
