"""What becomes of a game when its board is rotated or reflected, or its players change places."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.action import Action
from kakomi.core.position import Position


@dataclass(frozen=True)
class Symmetry:
    """Play commutes with it: after the actions that it makes of a game's, the board is what it makes of
    the game's board."""

    points: tuple[int, ...]
    """Point p goes to `points[p]`."""
    cells: tuple[int, ...]
    """Cell c goes to `cells[c]`."""
    actions: tuple[int, ...]
    """Action a becomes `actions[a]`."""


def symmetries_of(geometry: Geometry, actions: tuple[Action, ...]) -> tuple[Symmetry, ...]:
    """All of a board's, the one that changes nothing first."""
    return tuple(_symmetries(geometry, actions))


def _symmetries(geometry: Geometry, actions: tuple[Action, ...]) -> Iterator[Symmetry]:
    numbers = {(action.kind, action.point, action.cell): number for number, action in enumerate(actions)}
    cells = [cell.name for cell in geometry.cells]
    for of_points, of_cells in zip(geometry.symmetries, geometry.cell_symmetries, strict=True):
        to_point = {name: geometry.names[to] for name, to in zip(geometry.names, of_points, strict=True)}
        to_cell = {name: cells[to] for name, to in zip(cells, of_cells, strict=True)}
        become = (
            numbers[
                action.kind,
                action.point and to_point[action.point],
                action.cell and to_cell[action.cell],
            ]
            for action in actions
        )
        yield Symmetry(of_points, of_cells, tuple(become))


def rotate_players(position: Position, by: int = 1) -> Position:
    """The position in which every player has what was had by the player `by` turns before: with two and 1,
    the colours are swapped.

    Play commutes with it; actions stay the same, scores and returns rotate too. Raises ValueError for a
    game that doesn't treat its players alike.
    """
    game, description = position.game, position.game.description
    if not description.players_are_alike(game.options):
        raise ValueError(f"{game!r} doesn't treat its players alike: they can't change places")
    states = position.states()
    stones = states["stones"]
    stones[stones >= 0] = (stones[stones >= 0] + by) % game.players
    states["to_move"] = (position.to_move + by) % game.players
    for name in description.player_fields:
        states[name][0, : game.players] = np.roll(states[name][0, : game.players], by, axis=0)
    return game.restored(states, position.ply)
