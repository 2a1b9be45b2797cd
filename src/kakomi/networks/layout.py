"""The layout of a network's inputs and outputs, which is the same for all sizes of a game and all players.

Nothing here is specific to a game: channels follow from the game's planes, scalars from its options, and
policies from the places that its actions touch.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Self

import msgspec
import numpy as np

from kakomi.core import Game
from kakomi.core.action import Action
from kakomi.core.symmetry import Symmetry
from kakomi.search.input_layout import UNSEEN, InputLayout

ON_BOARD = 0
"""The channel that is 1 on the board and 0 outside it."""
_PLAYERS = "players"
"""The option for the number of players (`kakomi.core.Description`)."""


@dataclass(frozen=True)
class NetworkLayout:
    """The meaning of a network's inputs and outputs. Networks with the same layout are interchangeable."""

    game: str
    seats: int
    """The maximum number of players; the viewer's seat comes first, then the others in turn order."""
    channels: tuple[str, ...]
    """Inputs over the board."""
    scalars: tuple[str, ...]
    """Inputs about the game as a whole."""
    policies: tuple[str, ...]
    """Kinds of actions that touch the board, each with a plane of logits."""
    gestures: tuple[str, ...]
    """Kinds of actions that touch no place, such as a pass, each with one logit."""

    def to_json(self) -> str:
        """The layout as text, for files."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The layout that `to_json` wrote. Raises ValueError for another text."""
        try:
            return msgspec.json.decode(text, type=cls)
        except msgspec.DecodeError as error:
            raise ValueError(f"this is no layout of a network: {error}") from None

    def answer_length(self, spots: int) -> int:
        """The length of an answer for a board of `spots`: policy planes, gestures, values and leads."""
        return len(self.policies) * spots + len(self.gestures) + 2 * self.seats


@lru_cache(maxsize=100)
def network_layout(game: Game) -> NetworkLayout:
    """The layout for a game; the same for all its sizes and numbers of players."""
    options = tuple(game.options)
    komi = game.description.komi_option
    places, gestures = _kinds(game.actions)
    return NetworkLayout(
        game=game.name,
        seats=_seats(game),
        channels=("on the board", *_stones(game), *_own(game, "PLANES"), *_own(game, "FEATURES")),
        scalars=(*options, "seat", *([f"{komi} for the viewer"] if komi else [])),
        policies=places,
        gestures=gestures,
    )


@dataclass(frozen=True)
class BoardLayout:
    """Where a game's points and actions are in a network's arrays, on a rectangle that holds the board."""

    height: int
    width: int
    input_layout: InputLayout
    on_board: np.ndarray
    """float32 [spots]: the channel `ON_BOARD`."""
    entries: np.ndarray
    """int32 [actions, K]: the indices in an answer that make up each action's logit."""
    weights: np.ndarray
    """float32 [actions, K]: the weight of each of them."""

    @property
    def spots(self) -> int:
        """The number of spots in the rectangle."""
        return self.height * self.width


def rectangle(game: Game) -> tuple[int, int]:
    """Height and width of the smallest rectangle that holds a game's board."""
    height, width = np.array(game.geometry.grid).max(axis=0) + 1
    return int(height), int(width)


def board_layout(
    game: Game, shape: tuple[int, int] | None = None, symmetry: Symmetry | None = None
) -> BoardLayout:
    """The layout for a game's board, on a rectangle that may be larger than the board.

    With one of the game's symmetries, points and actions are where their images would be. Raises ValueError
    if the rectangle is too small.
    """
    least = rectangle(game)
    height, width = shape or least
    if height < least[0] or width < least[1]:
        raise ValueError(
            f"a rectangle of {height} × {width} can't hold the board: {least[0]} × {least[1]} can"
        )
    grid = np.array(game.geometry.grid, np.int64)
    spots = grid[:, 0] * width + grid[:, 1]
    on_board = np.zeros(height * width, np.float32)
    on_board[spots] = 1
    entries, weights = _entries(game, spots, height * width)
    if symmetry is not None:
        spots = spots[list(symmetry.points)]
        entries, weights = entries[list(symmetry.actions)], weights[list(symmetry.actions)]
    return BoardLayout(height, width, _input_layout(game, spots), on_board, entries, weights)


def _input_layout(game: Game, spots: np.ndarray) -> InputLayout:
    channels = _channels(game)
    points = game.geometry.points
    seen = np.zeros((len(channels), points), np.float32)
    return InputLayout(
        seen=seen,
        features=seen[len(channels) - len(_own(game, "FEATURES")) :],
        points=np.arange(points, dtype=np.uint32),
        channels=channels,
        spots=spots,
        seats=_scalars(game),
    )


def _seats(game: Game) -> int:
    """The maximum number of players of the game with any options."""
    for option in game.description.options:
        if option.name == _PLAYERS:
            return max(option.allowed_given(game.options))
    return game.players


def _stones(game: Game) -> Iterable[str]:
    for kind in game.description.style.kinds or ("stones",):
        yield from (f"{kind} of seat {seat}" for seat in range(_seats(game)))


def _own(game: Game, names: str) -> tuple[str, ...]:
    """The names of a game's own planes, `PLANES` or `FEATURES`."""
    found: tuple[str, ...] = getattr(game.description.observation, names, ())
    return found


def _channels(game: Game) -> np.ndarray:
    """The channel of each plane that the game's `observe` and `mark_features` write.

    The plane of the player to act is left out, because that is the viewer, whose seat is a scalar.
    """
    seats = _seats(game)
    stones = [1 + kind * seats + k for kind in range(game.kinds) for k in range(game.players)]
    first, own = 1 + game.kinds * seats, len(_own(game, "PLANES")) + len(_own(game, "FEATURES"))
    return np.array([*stones, UNSEEN, *range(first, first + own)], np.int64)


def _scalars(game: Game) -> np.ndarray:
    """The scalars for each player: options as fractions of their largest values, and the seat.

    The seat is from -1 for the first to 1 for the last, or 0 if the players are alike. A komi is a fraction
    of the points on the board, with the seat's sign.
    """
    described = game.description
    options = [
        game.options[option.name] / max(1, *option.allowed_given(game.options))
        for option in described.options
    ]
    rows = []
    for player in range(game.players):
        seat = 2 * player / (game.players - 1) - 1
        is_alike = described.players_are_alike(game.options)
        row = [*options, 0.0 if is_alike else seat]
        if described.komi_option:
            row.append(seat * game.options[described.komi_option] / game.geometry.points)
        rows.append(row)
    return np.array(rows, np.float32)


def _kinds(actions: Iterable[Action]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kinds of actions that touch the board, and those that don't, in order of first occurrence."""
    places: dict[str, None] = {}
    gestures: dict[str, None] = {}
    for action in actions:
        touched = _touched(action)
        places |= dict.fromkeys(name for name, _ in touched)
        if not touched:
            gestures[_gesture(action)] = None
    return tuple(places), tuple(gestures)


def _gesture(action: Action) -> str:
    return f"{action.kind} {action.variant}".strip()


def _touched(action: Action) -> list[tuple[str, str]]:
    """The kinds of ways in which an action touches places, with the name of each place."""
    name = _gesture(action)
    places = {"at": action.point, "in": action.cell, "from": action.origin}
    return [(f"{name} {how}", place) for how, place in places.items() if place]


def _entries(game: Game, spots: np.ndarray, plane: int) -> tuple[np.ndarray, np.ndarray]:
    """The entries and weights of all actions: a point counts fully, a cell as the mean of its points."""
    layout = network_layout(game)
    cells = {cell.name: cell.points for cell in game.geometry.cells}
    after = len(layout.policies) * plane
    rows: list[list[tuple[int, float]]] = []
    for action in game.actions:
        row = []
        for kind, place in _touched(action):
            points = cells[place] if kind.endswith(" in") else (game.geometry.index[place],)
            first = layout.policies.index(kind) * plane
            row += [(first + int(spots[point]), 1 / len(points)) for point in points]
        rows.append(row or [(after + layout.gestures.index(_gesture(action)), 1.0)])
    longest = max(map(len, rows))
    padded = np.array([row + [(0, 0.0)] * (longest - len(row)) for row in rows])
    return (
        np.ascontiguousarray(padded[..., 0], np.int32),
        np.ascontiguousarray(padded[..., 1], np.float32),
    )
