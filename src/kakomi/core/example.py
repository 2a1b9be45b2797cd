"""Examples and exercises: positions in which the reader makes the move, read from files in a game's folder.

`examples.toml` has the examples of the rules, `exercises.toml` the exercises, whose claims can be proved. The
`lines` of an exercise may instead be a table of its name in `measured/lines.toml`.

Each example is a table with the fields of `Example`, under its name. Its steps are tables `[[name.steps]]`
with the fields of `Step`; an example of one step may have these fields itself. Three fields are written in a
simpler form: `becomes` lists points as `stones` does, `emptied` lists points without a stone, and `miss` is
the text for all other misses. `options` at the top of the file apply to examples without options. Line breaks
in texts are spaces.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

from kakomi.core.known_results import read_tables


@dataclass(frozen=True)
class Step:
    """One task of an example. Any position with all of the claimed properties fulfils it."""

    task: str
    solution: str
    """Actions that fulfil it, with spaces between them; the reader may play as many."""
    told: str
    """An explanation to show once the task is fulfilled."""
    becomes: Mapping[str, int | None] = field(default_factory=dict)
    """Point -> the player whose stone must be there; None: it must be empty."""
    scores: tuple[int, ...] | None = None
    """Each player's score."""
    marked: Mapping[str, str] = field(default_factory=dict)
    """Name of an overlay -> points or cells that it must mark, among others."""
    to_move: int | None = None
    """The player to act."""
    is_last: bool = False
    """Whether the game must be over."""
    misses: Mapping[str, str] = field(default_factory=dict)
    """Legal action that misses the task -> the text to show; "" has the text for all others."""
    hint: str = ""
    """A hint for readers who want one."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The solution, action by action."""
        return tuple(self.solution.split())


@dataclass(frozen=True)
class Claim:
    """What only the right answers of an exercise guarantee the player to act."""

    at_least: int
    """The margin: the player's score less the best score of the others."""
    turns: int | None = None
    """The number of turns after which it is reached, counting the answer; None: at the end of the game."""


@dataclass(frozen=True)
class Example:
    """A position and the reader's tasks in it, playing for all players in turn."""

    name: str
    """Its name in `rules.md`, `<!-- example: name -->`, and in its address."""
    title: str
    steps: tuple[Step, ...]
    stones: tuple[str, ...] = ()
    """The points of each player's stones, with spaces between them."""
    to_move: int = 0
    options: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Other arguments of `Game.arranged`."""
    before: str = ""
    """Actions played before the reader's, with spaces between them."""
    overlays: tuple[str, ...] = ()
    """Names of overlays that the board always shows."""
    position: str = ""
    """The position as text (docs/positions.md), instead of stones, player and fields."""
    claim: Claim | None = None
    """The claim of an exercise, which `kakomi study exercises` proves."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Actions played -> a possible continuation, each with spaces between them: replies to misses."""

    def texts(self) -> Iterator[str]:
        """All texts that readers see."""
        yield self.title
        for step in self.steps:
            yield from filter(None, (step.task, step.hint, step.told, *step.misses.values()))


EXERCISES = "exercises.toml"


@cache
def read_examples(module: str, name: str = "examples.toml") -> tuple[Example, ...]:
    """The examples of a file beside a game's `rules.md`, in their order; none if there is no such file.

    Raises ValueError, naming the file or the example, if it can't be read.
    """
    file = files(module).joinpath(name)
    if not file.is_file():
        return ()
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    usual = {"options": tables.pop("options", {})}
    lines = read_tables(module, "lines.toml") if name == EXERCISES else {}
    return tuple(_example(name, table, usual, lines.get(name)) for name, table in tables.items())


def _example(
    name: str, given: dict[str, Any], usual: dict[str, Any], lines: dict[str, str] | None
) -> Example:
    try:
        table = usual | given
        only = {key: table.pop(key) for key in _STEP_KEYS & table.keys()}
        steps = table.pop("steps", []) + ([only] if only else [])
        given_lists = {"stones", "overlays"} & table.keys()
        lists: dict[str, Any] = {key: tuple(table.pop(key)) for key in given_lists}
        if "claim" in table:
            lists["claim"] = Claim(**table.pop("claim"))
        if "lines" in table:
            lists["lines"] = _lines(table.pop("lines"))
        elif lines:
            lists["lines"] = lines
        return Example(name, _prose(table.pop("title")), tuple(map(_step, steps)), **lists, **table)
    except KeyError as error:
        raise ValueError(f"example {name!r} has no {error}") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"example {name!r}: {error}") from None


def _step(table: dict[str, Any]) -> Step:
    owners: Mapping[str, int | None] = owners_of(table.pop("becomes", ())) | dict.fromkeys(
        table.pop("emptied", "").split()
    )
    misses = table.pop("misses", {}) | ({"": table.pop("miss")} if "miss" in table else {})
    return Step(
        _prose(table.pop("task")),
        told=_prose(table.pop("told")),
        hint=_prose(table.pop("hint", "")),
        becomes=owners,
        scores=tuple(table.pop("scores")) if "scores" in table else None,
        misses={action: _prose(text) for action, text in misses.items()},
        **table,
    )


def _lines(text: str) -> dict[str, str]:
    """Actions played -> their continuation, from lines with a colon between the two."""
    pairs = (line.partition(":") for line in text.strip().splitlines())
    return {_prose(played): _prose(line) for played, _, line in pairs}


def owners_of(stones: Sequence[str]) -> dict[str, int]:
    """Point -> player, from the points of each player's stones."""
    return {point: player for player, points in enumerate(stones) for point in points.split()}


def _prose(text: str) -> str:
    return " ".join(text.split())


_STEP_KEYS = {step.name for step in fields(Step)} - {"to_move"} | {"emptied", "miss"}
"""Fields of a step that its example may have itself; `to_move` there is the example's."""
