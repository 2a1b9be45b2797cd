"""What a rotation or reflection of the board does to a game."""

from collections.abc import Iterator
from dataclasses import dataclass

from kakomi.boards import Geometry
from kakomi.core.action import Action


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
