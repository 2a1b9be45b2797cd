"""Tracks: tasks, budgets and opponents as data, under versioned names."""

import hashlib
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from kakomi import catalog
from kakomi.core import Game

SHIPPED = Path(__file__).parent / "tracks.toml"
PREFIX = "kakomi-suite/"
MOST_SEEDS = 1_000


def environment_id(game: str) -> str:
    """The Gymnasium id of a game."""
    return f"kakomi/{game.capitalize()}-v0"


class Budget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """An agent's budget for an action: simulations or evaluations, or seconds of processor time."""

    simulations: int | None = None
    cpu: float | None = None

    @property
    def limit(self) -> str:
        """The budget as a bot's setting, such as `simulations=400`."""
        return f"cpu={self.cpu:g}" if self.simulations is None else f"simulations={self.simulations}"

    @property
    def in_words(self) -> str:
        """The budget for people to read."""
        if self.simulations is None:
            return f"{self.cpu:g} s of processor time an action"
        return f"{self.simulations:,} simulations an action"


class Sample(Struct, frozen=True, forbid_unknown_fields=True):
    """How positions with exact values were drawn: `count` positions, each from its own random game."""

    count: int
    plies: tuple[int, int]
    """The range of actions before a position or, if negative, after it until the end of its game."""


class Task(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, dict=True):
    """A game with its options."""

    game: str
    options: dict[str, int]
    learned_on: list[dict[str, int]] = []
    """In a track on transfer, the only options that agents may have been trained on; otherwise empty."""
    sample: Sample | None = None

    @cached_property
    def found_game(self) -> Game:
        """The game. Raises ValueError if it doesn't exist."""
        return catalog.game(self.game, **self.options)

    @property
    def name(self) -> str:
        """A short name, such as `lin size=5`."""
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.options.items())])

    @property
    def environment(self) -> str:
        """The id of the task's environment in Gymnasium."""
        return environment_id(self.game)


class Track(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Tasks, and everything that must be the same for results to be comparable."""

    id: str
    about: str
    kind: Literal["matches", "exact"]
    budget: Budget
    tasks: list[Task]
    training_actions: int | None = None
    """The most environment actions that an agent may have been trained on, over all tasks; None for any."""
    opponents: list[str] = []
    openings: int = 0
    """The number of openings for each seed, task and opponent. Each is played once from every seat."""
    positions: str = ""
    """The file of positions with exact values, beside the file of tracks."""

    @property
    def name(self) -> str:
        """The id without its prefix."""
        return self.id.removeprefix(PREFIX)

    @property
    def hash(self) -> str:
        """SHA-256 of the definition."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    def chosen(self, names: list[str] | None) -> list[Task]:
        """The tasks with the given games or names, by default all. Raises ValueError for unknown ones."""
        known = {name for task in self.tasks for name in (task.game, task.name)}
        for name in names or []:
            if name not in known:
                there_are = ", ".join(task.name for task in self.tasks)
                raise ValueError(f"{self.name} has no task {name!r}; there are: {there_are}")
        return [task for task in self.tasks if not names or task.game in names or task.name in names]


def tracks(file: Path = SHIPPED) -> list[Track]:
    """The tracks in a file. Raises OSError, and ValueError if the file isn't valid."""
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        return msgspec.convert(tables["track"], list[Track])
    except (tomllib.TOMLDecodeError, KeyError, msgspec.ValidationError) as error:
        raise ValueError(f"{file} is no file of tracks: {error}") from None


def find_track(name: str, file: Path = SHIPPED) -> Track:
    """A track by its id, with or without `kakomi-suite/`. Raises ValueError, listing all, if unknown."""
    there_are = tracks(file)
    for track in there_are:
        if name in (track.id, track.name):
            return track
    raise ValueError(f"there is no track {name!r}; there are: {', '.join(track.name for track in there_are)}")


def check_seeds(seeds: int) -> None:
    """Raise ValueError if the number of seeds isn't from 1 to `MOST_SEEDS`."""
    if not 1 <= seeds <= MOST_SEEDS:
        raise ValueError(f"seeds is {seeds}; it must be from 1 to {MOST_SEEDS:,}")
