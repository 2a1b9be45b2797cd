"""What becomes of a game when its board is rotated or reflected, or its players change places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.boards import Geometry
from kakomi.core.action import Action
from kakomi.core.position import Position

_Trait = tuple[str | None, ...]
"""What tells an action from all others: its kind, variant, point, cell and origin."""


@dataclass(frozen=True)
class Symmetry:
    """Play commutes with it: after the actions that it makes of a game's, the board is what it makes of
    the game's board. All three are permutations."""

    points: tuple[int, ...]
    """Point p goes to `points[p]`."""
    cells: tuple[int, ...]
    """Cell c goes to `cells[c]`."""
    actions: tuple[int, ...]
    """Action a becomes `actions[a]`."""


def identity_of(geometry: Geometry, actions: Sequence[Action]) -> Symmetry:
    """The symmetry that changes nothing; every game has it."""
    return Symmetry(
        tuple(range(geometry.points)), tuple(range(len(geometry.cells))), tuple(range(len(actions)))
    )


def symmetries_of(geometry: Geometry, actions: Sequence[Action]) -> tuple[Symmetry, ...]:
    """All of a board's, the one that changes nothing first.

    Raises ValueError if actions can't be told apart by what they touch, or if one has no image: then nobody
    can say what the board's symmetries do to them.
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
    """What is left of an action if its places are called otherwise."""
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
    owned = stones >= 0
    kinds, owners = np.divmod(stones[owned], game.players)
    stones[owned] = kinds * game.players + (owners + by) % game.players
    states["to_move"] = (position.to_move + by) % game.players
    for name in description.player_fields:
        states[name][0, : game.players] = np.roll(states[name][0, : game.players], by, axis=0)
    return game.restored(states, position.ply)
