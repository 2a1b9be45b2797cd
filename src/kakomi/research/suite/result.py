"""Results: one row of a track's table, with all that it takes to check it."""

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
    """A file that holds no result; the message says why."""


class Interval(Struct, frozen=True, forbid_unknown_fields=True):
    """A mean with its 95 % interval, from so many blocks of games or positions."""

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
    """Games that the agent forfeited, among its losses."""
    games_a_block: int
    blocks: tuple[tuple[float, ...], ...]
    """For each seed the mean score of the games on each opening, 0 to 1."""
    score: Interval


class Answers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an agent played in one task's positions of known value."""

    task: str
    actions: tuple[tuple[str, ...], ...]
    """For each seed the action in each position."""
    optimal: Interval
    """The share of actions than which none is better by a point."""
    kept: Interval
    """The share of actions after which the game's result is as good as before."""
    regret: Interval
    """Points lost by an action."""
    chance: float
    """The share of optimal actions among the legal ones: what random play comes to."""


class Result(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row: an agent on a track."""

    kakomi_suite_result: int = FORMAT
    track: str
    track_hash: str
    name: str
    agent: str
    specs: tuple[str, ...]
    """The agent for each seed, its budget included."""
    budget: str
    training_actions: int | None
    """How many actions of environments the agent learned from, by the word of who ran it; None: none."""
    seeds: int
    tasks: tuple[str, ...]
    is_complete: bool
    """Whether these are all of the track's tasks."""
    environments: dict[str, str]
    rules: dict[str, str]
    """A hash of the rules of each task."""
    opponents_hash: str
    positions_hash: str
    weights: dict[str, str]
    """SHA-256 of each file that the agent plays by."""
    code_hash: str
    versions: dict[str, str]
    cells: tuple[Cell, ...]
    answers: tuple[Answers, ...]
    score: Interval
    """The mean over tasks and opponents, or the mean share of optimal actions over tasks."""
    by_seed: tuple[float, ...]
    """The same for each seed alone."""
    seconds_an_action: float | None
    """The agent's, by the clock of the machine; no part of any score."""

    @property
    def json(self) -> str:
        """The result as text, a line for each field."""
        fields = msgspec.to_builtins(self).items()
        lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields]
        return "{\n" + ",\n".join(lines) + "\n}\n"


def versions() -> dict[str, str]:
    """What a result was made with."""
    libraries = {name: version(name) for name in LIBRARIES}
    return {
        "kakomi": kakomi.__version__,
        "python": platform.python_version(),
        **libraries,
        "machine": platform.machine(),
    }


def read_result(path: Path) -> Result:
    """The result in a file. Raises ResultError for a file that can't be read or holds none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror or error}") from None
    except msgspec.DecodeError as error:
        raise ResultError(f"{path} holds no result: {error}") from None
