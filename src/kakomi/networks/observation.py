"""The network's inputs for many positions at once, on boards of any size."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.symmetry import Symmetry
from kakomi.networks.layout import ON_BOARD, BoardLayout, board_layout, network_layout, rectangle
from kakomi.networks.steps import show_all


class Inputs(NamedTuple):
    """A network's inputs for n positions."""

    planes: np.ndarray
    """float32 [n, channels, height, width]: 0 outside the board."""
    scalars: np.ndarray
    """float32 [n, scalars]."""


def empty_inputs(game: Game, n: int, shape: tuple[int, int]) -> Inputs:
    """Zeroed inputs for n positions of a game, on rectangles of the given height and width."""
    layout = network_layout(game)
    return Inputs(
        np.zeros((n, len(layout.channels), *shape), np.float32),
        np.zeros((n, len(layout.scalars)), np.float32),
    )


def write_states(game: Game, layout: BoardLayout, states: np.ndarray, inputs: Inputs) -> None:
    """Write the inputs for the players to act in states, STATE [n], of one board."""
    n = len(states)
    planes = inputs.planes.reshape(n, -1, layout.spots)
    planes[:] = 0
    planes[:, ON_BOARD] = layout.on_board
    show_all(game.board, states, game.scratch, layout.input_layout, planes, inputs.scalars)


def inputs_of(
    positions: Sequence[Position],
    shape: tuple[int, int] | None = None,
    symmetries: Sequence[Symmetry] | None = None,
) -> Inputs:
    """The inputs for the players to act in positions of one game with any options, in new arrays.

    Boards are padded to the largest of them, or to `shape` (height and width). `symmetries` holds one
    symmetry of its game for each position. Raises ValueError if no single network takes all positions, or if
    there are none.
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
