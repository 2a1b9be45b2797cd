"""Results: one row of a track's table, with everything needed to check it."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import msgspec
from msgspec import Struct

import kakomi

FORMAT = 1
LIBRARIES = ("numpy", "numba")


class ResultError(ValueError):
    """A file without a valid result; the message says why."""


class Interval(Struct, frozen=True, forbid_unknown_fields=True):
    """A mean with its 95 % interval, from `count` blocks of games or positions."""

    value: float
    low: float
    high: float
    count: int


class Cell(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An agent's games in one task against one opponent."""

    task: str
    opponent: str
    wins: int
    draws: int
    losses: int
    forfeits: int
    """The number of the agent's losses by forfeit."""
    games_a_block: int
    blocks: tuple[tuple[float, ...], ...]
    """For each seed, the mean score of the games on each opening, 0 to 1."""
    score: Interval


class Answers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An agent's actions in one task's positions with known values."""

    task: str
    actions: tuple[tuple[str, ...], ...]
    """For each seed, the action in each position."""
    optimal: Interval
    """The share of actions with the best margin."""
    kept: Interval
    """The share of actions that keep the best possible result: win, draw or loss."""
    regret: Interval
    """The mean number of points lost by an action."""
    chance: float
    """The fraction of legal actions that are optimal: the score of random play."""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a table: the result of an agent on a track."""

    kakomi_suite_result: int = FORMAT
    track: str
    track_hash: str
    name: str
    agent: str
    specs: tuple[str, ...]
    """The agent's specification for each seed, including its budget."""
    budget: str
    training_actions: int | None
    """The number of environment actions that the agent was trained on, as claimed; None if not trained."""
    seeds: int
    tasks: tuple[str, ...]
    is_complete: bool
    """Whether `tasks` are all of the track's tasks."""
    environments: dict[str, str]
    rules: dict[str, str]
    """A hash of the rules of each task."""
    opponents_hash: str
    positions_hash: str
    weights: dict[str, str]
    """SHA-256 of each file that the agent uses."""
    code_hash: str
    versions: dict[str, str]
    cells: tuple[Cell, ...]
    answers: tuple[Answers, ...]
    score: Interval
    """The mean score over tasks and opponents, or the mean share of optimal actions over tasks."""
    by_seed: tuple[float, ...]
    """The same for each seed."""
    seconds_an_action: float | None
    """The agent's mean wall-clock time per action; not part of any score."""

    @property
    def json(self) -> str:
        """The result as JSON, with a line for each field."""
        fields = msgspec.to_builtins(self).items()
        lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def versions() -> dict[str, str]:
    """The versions of the software and the machine that make a result."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {
        "kakomi": kakomi.__version__,
        "python": platform.python_version(),
        **libraries,
        "machine": platform.machine(),
    }


def read_result(path: Path) -> Result:
    """The result in a file. Raises ResultError if the file can't be read or holds no result."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror or error}") from None
    except msgspec.DecodeError as error:
        raise ResultError(f"{path} holds no result: {error}") from None
