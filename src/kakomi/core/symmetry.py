"""Symmetries of a game: what rotations and reflections of the board do to points, cells and actions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kakomi.boards import Geometry
from kakomi.core.action import Action

_Trait = tuple[str | None, ...]
"""What identifies an action: its kind, variant, point, cell and origin."""


@dataclass(frozen=True)
class Symmetry:
    """Three permutations that play commutes with: the images of a game's actions lead to the image of its
    board."""

    points: tuple[int, ...]
    """The image of point p is `points[p]`."""
    cells: tuple[int, ...]
    """The image of cell c is `cells[c]`."""
    actions: tuple[int, ...]
    """The image of action a is `actions[a]`."""


def identity_of(geometry: Geometry, actions: Sequence[Action]) -> Symmetry:
    """The symmetry that changes nothing, which every game has."""
    return Symmetry(
        tuple(range(geometry.points)), tuple(range(len(geometry.cells))), tuple(range(len(actions)))
    )


def symmetries_of(geometry: Geometry, actions: Sequence[Action]) -> tuple[Symmetry, ...]:
    """All symmetries of a board, the identity first.

    Raises ValueError if two actions differ only in their texts, or if an action has no image.
    """
    numbers = _numbers_by_trait(actions)
    others = list(zip(geometry.symmetries, geometry.cell_symmetries, strict=True))[1:]
    images = (
        Symmetry(points, cells, _images(geometry, actions, numbers, points, cells))
        for points, cells in others
    )
    return identity_of(geometry, actions), *images


def _numbers_by_trait(actions: Sequence[Action]) -> dict[_Trait, int]:
    numbers: dict[_Trait, int] = {}
    for number, action in enumerate(actions):
        known = numbers.setdefault(_trait(action), number)
        if known != number:
            raise ValueError(
                f"only their texts tell {actions[known].text!r} and {action.text!r} apart: "
                "give them an origin or a variant, so that the board's symmetries know them"
            )
    return numbers


def _trait(action: Action, point: Callable[[str], str] = str, cell: Callable[[str], str] = str) -> _Trait:
    """The trait of an action whose places are renamed."""
    return (
        action.kind,
        action.variant,
        action.point and point(action.point),
        action.cell and cell(action.cell),
        action.origin and point(action.origin),
    )


def _images(
    geometry: Geometry,
    actions: Sequence[Action],
    numbers: dict[_Trait, int],
    points: tuple[int, ...],
    cells: tuple[int, ...],
) -> tuple[int, ...]:
    names = [cell.name for cell in geometry.cells]
    to_point = {name: geometry.names[to] for name, to in zip(geometry.names, points, strict=True)}
    to_cell = {name: names[to] for name, to in zip(names, cells, strict=True)}
    images = [numbers.get(_trait(action, to_point.__getitem__, to_cell.__getitem__)) for action in actions]
    if None in images:
        raise ValueError(
            f"a symmetry of the board makes no action of {actions[images.index(None)].text!r}: "
            "a game whose rules treat the board's sides differently has is_symmetric=False"
        )
    return tuple(number for number in images if number is not None)
