"""Agents: Kakomi's bots within a track's budget, and Python functions; and the hashes of rules, opponents,
weights and agents that identify how a result was made.
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
from kakomi.study.matches import PATIENCE_SECONDS, make_entrant
from kakomi.study.matches.games import opening, random_walk

ALIASES = {"greedy": "beginner"}
PROGRAM = "cmd:"
SEARCHES = ("search", "uct", "net", "patterns")
LIMITS = ("simulations", "seconds", "cpu")
OTHERS = ("mirror", "time", "simulations", "cmd")
ALLOWANCE = 10
"""The number of actions whose processor time a function may spend in advance."""
_FUNCTION = re.compile(r"(?P<module>.+):(?P<name>[A-Za-z_]\w*)")


class AgentError(ValueError):
    """An invalid agent, or one that exceeds a track's budget."""


def is_function(spec: str) -> bool:
    """Whether a name is a Python function or class: `module:function` or `path/file.py:function`."""
    found = _FUNCTION.fullmatch(spec)
    return bool(found) and spec.partition(":")[0] not in (*SEARCHES, *OTHERS)


def budgeted(agent: str, budget: Budget, tasks: list[Task], seed: int = 1) -> str:
    """An agent's name with a track's budget added: `search` becomes `search:simulations=400`.

    `{seed}` is replaced by the seed, for agents that were trained once for each seed; `{game}` is left to
    `spec_of_task`. Functions and programs stay unchanged. Raises AgentError, saying what would be valid, if
    the agent is unknown, can't play a task or exceeds the budget.
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
    """An agent's name for one task: `{game}` is replaced by the task's game, for agents trained per game."""
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
    """Makes players from their specifications, in the process that plays a game."""

    budget: Budget

    def __call__(self, spec: str, *, seed: int, patience: float) -> Bot:
        """A player for one game. Raises AgentError for a function that doesn't exist."""
        if is_function(spec):
            return FunctionBot(spec, seed, self.budget)
        return make_entrant(spec, seed=seed, patience=patience)


class FunctionBot(Bot):
    """A function as a player for one game.

    It is called as `f(position)` or `f(observation, mask)`, depending on its number of parameters, and
    returns an action's number or text. A class is first instantiated as `C(game, seed, budget)`, and the
    instance is called. If the budget is processor time, the player may save up unspent time, and use the time
    of `ALLOWANCE` actions in advance.
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
        """The function's action. Raises AgentError if it isn't a number or text, IllegalAction if the text is
        unknown, and EngineError once the processor time is used up."""
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
    """The function or class with a name. Raises AgentError if it doesn't exist or can't be called."""
    where, _, name = spec.rpartition(":")
    found = getattr(_module(where), name, None)
    if found is None:
        raise AgentError(f"{where} has no {name!r}")
    if not callable(found):
        raise AgentError(f"{spec} is no function and no class")
    return found  # type: ignore[no-any-return]


def source_of(spec: str) -> str:
    """The source file of a function's module; empty if it has none."""
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
    """SHA-256 of the rules' behaviour in three seeded random games: players to act, legal actions, scores.

    It depends on what rules do and not on their source, so that it doesn't change with Python's version or
    with faster code.
    """
    digest = hashlib.sha256("\n".join(game.action_texts).encode())
    for number in range(GAMES):
        rng = random_state(derived_seed(number, "rules", game.name))
        for position in islice(random_walk(game.start(), rng), MOST_PLIES + 1):
            legal = [] if position.is_over else position.legal_actions()
            digest.update(repr((position.to_move, list(map(int, legal)), position.scores())).encode())
    return digest.hexdigest()


def opponents_hash(track: Track) -> str:
    """SHA-256 of each opponent's actions at the start of each task and after one opening; empty for a track
    with a budget of processor time, which isn't deterministic."""
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
    """SHA-256 of each file that an agent uses: networks and tables in its specifications, and those given.

    Raises OSError if a file can't be read.
    """
    found = {str(path): path for path in files}
    for spec in specs:
        for task in tasks:
            found |= _advice(spec_of_task(spec, task), task.found_game)
    return {name: file_hash(path) for name, path in found.items()}


def code_hash(specs: list[str], tasks: list[Task]) -> str:
    """SHA-256 of the source files of agents that are functions; empty without any."""
    own = dict.fromkeys(spec_of_task(spec, task) for spec in specs for task in tasks)
    sources = dict.fromkeys(source_of(spec) for spec in own if is_function(spec))
    joined = "".join(sorted(file_hash(Path(source)) for source in sources if source))
    return hashlib.sha256(joined.encode()).hexdigest() if joined else ""


def _advice(spec: str, game: Game) -> dict[str, Path]:
    """The file that advises a bot, by its name there, or as `ren/patterns.npz` if it comes with the game."""
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
