"""Skirmish, a game of two kinds of moving pieces on any board, with features that Kakomi's own games lack.

Each player has three men and a king. A turn passes, or moves a piece to a neighbouring point without an own
piece, capturing an enemy piece there. Capturing the king wins; after two passes the pieces are counted.
"""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from kakomi.boards import Geometry, letter_board
from kakomi.core import Action, Description, Game
from kakomi.draw import Style
from kakomi.kernel import below
from kakomi.kernel.records import EMPTY, board_record, scratch_record, state_record

MAX_POINTS, MAX_ACTIONS = 36, 200
BOARD = board_record(
    ("kinds", np.int64),
    ("origins", np.int16, MAX_ACTIONS),
    ("targets", np.int16, MAX_ACTIONS),
)
STATE = state_record(MAX_POINTS, ("skirmish_passes", np.int8))
SCRATCH = scratch_record(MAX_ACTIONS)
KING = 2
"""The king of player 0; the other player's is one more."""


def moves(geometry: Geometry) -> list[tuple[int, int]]:
    return [(point, beside) for point in range(geometry.points) for beside in geometry.neighbours[point]]


def list_actions(geometry: Geometry, options: object) -> Sequence[Action]:
    names = geometry.names
    steps = [
        Action(f"{names[a]}-{names[b]}", "place", point=names[b], origin=names[a]) for a, b in moves(geometry)
    ]
    return [*steps, Action("pass", "pass")]


def build_board(board: np.void, geometry: Geometry, options: object) -> None:
    steps = moves(geometry)
    board["origins"][: len(steps)] = [origin for origin, _ in steps]
    board["targets"][: len(steps)] = [target for _, target in steps]


def reset(board, state):
    for point in range(MAX_POINTS):
        state.stones[point] = EMPTY
    for place in range(4):
        state.stones[place] = KING if place == 1 else 0
        state.stones[board.points - 1 - place] = KING + 1 if place == 1 else 1
    state.to_move = 0
    state.skirmish_passes = 0


def legal(board, state, scratch):
    n = 0
    for action in range(board.actions - 1):
        origin, target = state.stones[board.origins[action]], state.stones[board.targets[action]]
        if origin >= 0 and origin % 2 == state.to_move and (target < 0 or target % 2 != state.to_move):
            scratch.actions[n] = action
            n += 1
    scratch.actions[n] = board.actions - 1
    return n + 1


def play(board, state, scratch, action):
    if action == board.actions - 1:
        state.skirmish_passes += 1
    else:
        state.skirmish_passes = 0
        origin = board.origins[action]
        state.stones[board.targets[action]] = state.stones[origin]
        state.stones[origin] = EMPTY
    state.to_move = 1 - state.to_move


def over(board, state):
    return state.skirmish_passes == 2 or has_no_king(board, state, 0) or has_no_king(board, state, 1)


def has_no_king(board, state, player):
    kings = 0
    for point in range(board.points):
        kings += state.stones[point] == KING + player
    return kings == 0


def scores(board, state, out):
    out[0] = out[1] = 0.0
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            out[state.stones[point] % 2] += 10.0 if state.stones[point] >= KING else 1.0


def throw(board, state, scratch, action):
    """Like `play`, but a random draw decides who is to act."""
    play(board, state, scratch, action)
    state.to_move = below(state.skirmish_die, 2)


RULES = SimpleNamespace(
    __name__=__name__, STATE=STATE, SCRATCH=SCRATCH, BOARD=BOARD,
    IDENTITY=("stones", "to_move", "skirmish_passes"),
    build_board=build_board, reset=reset, legal=legal, play=play, over=over, scores=scores,
)  # fmt: skip
DICE = SimpleNamespace(
    **vars(RULES)
    | {
        "__name__": f"{__name__}.dice",
        "STATE": np.dtype([*((name, STATE[name]) for name in STATE.names), ("skirmish_die", np.uint64, 1)]),
        "IDENTITY": (*RULES.IDENTITY, "skirmish_die"),
        "play": throw,
    }
)
EXPLAIN = SimpleNamespace(
    why_illegal=lambda position, action: "no piece moves so",
    expects=lambda position: "a move",
    overlays=lambda position: (),
    account=lambda position: "",
)


def rhombus(side: int = 3) -> Geometry:
    """A rhombus of hexagons, symmetric under a half turn and reflections in its diagonals."""
    spots = [(row, column) for row in range(side) for column in range(side)]
    number = {spot: point for point, spot in enumerate(spots)}
    steps = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
    return Geometry(
        kind="rhombus",
        size=side,
        names=tuple(f"{'abcdef'[row]}{column + 1}" for row, column in spots),
        places=tuple((column + row / 2, row * 0.75**0.5) for row, column in spots),
        neighbours=tuple(
            tuple(
                number[row + down, column + right]
                for down, right in steps
                if (row + down, column + right) in number
            )
            for row, column in spots
        ),
    )


def skirmish(**changes: Any) -> Game:
    """The game, with changed fields of its description."""
    fields: dict[str, Any] = {
        "module": __name__, "name": "skirmish", "title": "Skirmish", "author": "", "year": "", "summary": "",
        "credit": "", "options": [], "rules": RULES, "explain": EXPLAIN,
        "geometry": lambda options: letter_board(4), "actions": list_actions,
        "style": Style(points="squares", kinds=("men", "kings")),
    }  # fmt: skip
    return Game(Description(**fields | changes))
