"""Examples and exercises: positions in which the reader makes the move, read from a game's folder.

The examples of the rules are in `examples.toml`, exercises, whose claims can be proved, in `exercises.toml`.

Each example is a table of the file with the fields of `Example`, under its name. It holds its steps as
`[[name.steps]]` with the fields of `Step`, or the fields of its only step itself. Three are easier to write:
`becomes` lists points as `stones` does, `emptied` lists those without a stone, and `miss` is said of any
other miss. `options` at the top of the file are those of examples that have none. Line breaks in texts are
spaces.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kakomi.core.game import Game
    from kakomi.core.position import Position


@dataclass(frozen=True)
class Step:
    """One task of an example. Whatever brings about all that is claimed here fulfils it."""

    task: str
    solution: str
    """Actions that fulfil it, with spaces between them; the reader may take as many."""
    told: str
    """What has happened and why, said once the task is fulfilled."""
    becomes: Mapping[str, int | None] = field(default_factory=dict)
    """Whose stone stands on a point then; None: it is empty."""
    scores: tuple[int, ...] | None = None
    """Each player's score then."""
    marked: Mapping[str, str] = field(default_factory=dict)
    """An overlay's name -> points or cells that it marks then, among others."""
    to_move: int | None = None
    """Who is to act then."""
    is_last: bool = False
    """Whether the game is over then."""
    misses: Mapping[str, str] = field(default_factory=dict)
    """What there is to say of a legal action that leads elsewhere; under "" what is said of any other."""
    hint: str = ""
    """What to look for, for readers who ask."""

    @property
    def actions(self) -> tuple[str, ...]:
        """The solution, action by action."""
        return tuple(self.solution.split())

    def is_fulfilled(self, position: Position) -> bool:
        """Whether a position shows all that is claimed."""
        stones = position.stones()
        return (
            all(stones.get(point) == player for point, player in self.becomes.items())
            and (self.scores is None or tuple(position.scores()) == self.scores)
            and (self.to_move is None or position.to_move == self.to_move)
            and position.is_over >= self.is_last
            and all(set(wanted.split()) <= _marked(position, name) for name, wanted in self.marked.items())
        )


def _marked(position: Position, overlay: str) -> set[str]:
    return {mark.at for found in position.overlays() if found.name == overlay for mark in found.marks}


@dataclass(frozen=True)
class Claim:
    """What only an exercise's right answers can make sure of, for the player who is to act."""

    at_least: int
    """A margin: the player's score less the best other one's."""
    turns: int | None = None
    """After how many turns, the answer's first, if everybody plays for it; None: at the end of the game."""


@dataclass(frozen=True)
class Example:
    """A position and what the reader is to do in it, for all players in turn."""

    name: str
    """Where `rules.md` has it: `<!-- example: name -->`; also its address."""
    title: str
    steps: tuple[Step, ...]
    stones: tuple[str, ...] = ()
    """The points of each player's stones, with spaces between them."""
    to_move: int = 0
    options: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What else `Game.arranged` takes."""
    before: str = ""
    """Actions played before the reader comes to it, with spaces between them."""
    overlays: tuple[str, ...] = ()
    """What is shown on the board all the time."""
    position: str = ""
    """The position as text (docs/positions.md), in place of stones, player and fields."""
    claim: Claim | None = None
    """Of an exercise, what sets its right answers apart; `kakomi study exercises` proves it."""
    lines: Mapping[str, str] = field(default_factory=dict)
    """Actions played, with spaces between them -> how play may go on then: the answers to a miss."""

    def begin(self, game: Game) -> Position:
        """The position that the reader finds, in a game with the example's options."""
        if self.position:
            position = game.position(self.position)
        else:
            position = game.arranged(_owners(self.stones), self.to_move, **self.fields)
        for action in self.before.split():
            position = position.play(action)
        return position

    def texts(self) -> Iterator[str]:
        """All that readers see of it in words."""
        yield self.title
        for step in self.steps:
            yield from filter(None, (step.task, step.hint, step.told, *step.misses.values()))


@cache
def read_examples(module: str, name: str = "examples.toml") -> tuple[Example, ...]:
    """Those of a file beside a game's `rules.md`, in their order; none without the file.

    Raises ValueError, naming the file or the example, for what can't be read.
    """
    file = files(module).joinpath(name)
    if not file.is_file():
        return ()
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    usual = {"options": tables.pop("options", {})}
    return tuple(_example(name, table, usual) for name, table in tables.items())


def _example(name: str, given: dict[str, Any], usual: dict[str, Any]) -> Example:
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
        return Example(name, _prose(table.pop("title")), tuple(map(_step, steps)), **lists, **table)
    except KeyError as error:
        raise ValueError(f"example {name!r} has no {error}") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"example {name!r}: {error}") from None


def _step(table: dict[str, Any]) -> Step:
    owners: Mapping[str, int | None] = _owners(table.pop("becomes", ())) | dict.fromkeys(
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
    """What was played -> what follows, from a line for each with a colon between them."""
    pairs = (line.partition(":") for line in text.strip().splitlines())
    return {_prose(played): _prose(line) for played, _, line in pairs}


def _owners(stones: Sequence[str]) -> dict[str, int]:
    """Point -> player, from the points of each player's stones."""
    return {point: player for player, points in enumerate(stones) for point in points.split()}


def _prose(text: str) -> str:
    return " ".join(text.split())


_STEP_KEYS = {step.name for step in fields(Step)} - {"to_move"} | {"emptied", "miss"}
"""What an example of one step may hold itself; who is to act is said of where it begins."""
