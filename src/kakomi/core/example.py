"""Examples in a game's rules: positions in which the reader makes the move, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
class Example:
    """A position and what the reader is to do in it, for all players in turn."""

    name: str
    """Where `rules.md` has it: `<!-- example: name -->`; also its address."""
    title: str
    stones: tuple[str, ...]
    """The points of each player's stones, with spaces between them."""
    steps: tuple[Step, ...]
    to_move: int = 0
    options: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What else `Game.arranged` takes."""
    before: str = ""
    """Actions played before the reader comes to it, with spaces between them."""
    overlays: tuple[str, ...] = ()
    """What is shown on the board all the time."""

    def begin(self, game: Game) -> Position:
        """The position that the reader finds, in a game with the example's options."""
        stones = {point: player for player, points in enumerate(self.stones) for point in points.split()}
        position = game.arranged(stones, self.to_move, **self.fields)
        for action in self.before.split():
            position = position.play(action)
        return position

    def texts(self) -> Iterator[str]:
        """All that readers see of it in words."""
        yield self.title
        for step in self.steps:
            yield from (step.task, step.told, *step.misses.values())
