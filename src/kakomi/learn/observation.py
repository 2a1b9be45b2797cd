"""What a network sees of many positions at once, of boards of any sizes."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry
from kakomi.learn.layout import ON_BOARD, BoardLayout, board_layout, network_layout, rectangle
from kakomi.learn.steps import show_all


class Inputs(NamedTuple):
    """What a network takes, for n positions."""

    planes: np.ndarray
    """float32 [n, channels, height, width]: 0 beside the board."""
    scalars: np.ndarray
    """float32 [n, scalars]."""


def empty_inputs(game: Game, n: int, shape: tuple[int, int]) -> Inputs:
    """Inputs for n positions of any size of a game's board, on rectangles of this height and width."""
    layout = network_layout(game)
    return Inputs(
        np.zeros((n, len(layout.channels), *shape), np.float32),
        np.zeros((n, len(layout.scalars)), np.float32),
    )


def write_states(game: Game, layout: BoardLayout, states: np.ndarray, inputs: Inputs) -> None:
    """Write what the players to act see of states (the game's STATE, n) of one board."""
    n = len(states)
    planes = inputs.planes.reshape(n, -1, layout.spots)
    planes[:] = 0
    planes[:, ON_BOARD] = layout.on_board
    show_all(game.board, states, game.scratch, layout.sight, planes, inputs.scalars)


def inputs_of(
    positions: Sequence[Position],
    shape: tuple[int, int] | None = None,
    symmetries: Sequence[Symmetry] | None = None,
) -> Inputs:
    """What the players to act see of positions, in new arrays; all of one game, but of any options.

    Boards are padded to the largest among them, or to a shape of height and width; `symmetries` are one for
    each position, of its game. Raises ValueError for positions that no one network takes, and for none.
    """
    games = {position.game for position in positions}
    if len({network_layout(game) for game in games}) != 1:
        raise ValueError("inputs are made of positions of one game, at least of one")
    sizes = np.array([rectangle(game) for game in games])
    height, width = shape or sizes.max(axis=0).tolist()
    inputs = empty_inputs(positions[0].game, len(positions), (height, width))
    for i, position in enumerate(positions):
        symmetry = symmetries[i] if symmetries else None
        layout = board_layout(position.game, (height, width), symmetry)
        row = Inputs(inputs.planes[i : i + 1], inputs.scalars[i : i + 1])
        write_states(position.game, layout, position.states(), row)
    return inputs
