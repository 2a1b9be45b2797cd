"""A game with its options, which makes positions and checks states that didn't come from play."""

import threading
from collections.abc import Collection, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from kakomi.boards import Geometry
from kakomi.core import steps
from kakomi.core.action import KINDS, Action, IllegalAction, list_actions, normalised
from kakomi.core.description import Description
from kakomi.core.i18n import lazy_error, range_in_words, truncated_repr
from kakomi.core.notation import Notation
from kakomi.core.option import resolve
from kakomi.core.position import Position
from kakomi.core.symmetry import Symmetry, identity_of, symmetries_of
from kakomi.kernel import register
from kakomi.kernel.records import EMPTY

LEAST_PLAYERS, MOST_PLAYERS = 2, 6
_IDLE = ("end", "pass")


def short_cuts_of(solving: ModuleType | None) -> ModuleType | None:
    """A game's short cuts for a solver; None if its module `solving` holds rules instead."""
    return None if hasattr(solving, "STATE") else solving


class _Scratch(threading.local):
    """Working space for the rules, one for each thread."""

    def __init__(self, kind: np.dtype) -> None:
        self.space = np.zeros(1, kind)


class Game:
    """A game and its options. Games are immutable and hashable, and equal if name and options are.

    Raises ValueError if an option is unknown or out of range, or if the description can't be a game's.
    """

    def __init__(self, description: Description, options: Mapping[str, Any] | None = None) -> None:
        register(
            description.rules, description.policy, description.observation, short_cuts_of(description.solving)
        )
        self.description = description
        self.name = description.name
        self.options = resolve(description.name, description.options, options or {})
        self.geometry: Geometry = description.geometry(self.options)
        self.players = self.options.get("players", len(description.player_names))
        _check_players(self.name, self.players)
        self.kinds = max(1, len(description.style.kinds))
        """The number of kinds of pieces that each player has."""
        self.board = self._build_board()
        """Geometry and options as a one-element record array for the rules."""
        self._scratch = _Scratch(description.rules.SCRATCH)
        self._start: Position | None = None

    def _build_board(self) -> np.ndarray:
        """The fields of every board and those that the rules add. Raises ValueError for several kinds of
        pieces on a board without a field for them."""
        rules = self.description.rules
        board = np.zeros(1, rules.BOARD)
        board["players"], board["points"] = self.players, self.geometry.points
        board["actions"] = len(self.actions)
        if "kinds" in rules.BOARD.names:
            board["kinds"] = self.kinds
        elif self.kinds > 1:
            raise ValueError(f"{self.name} has {self.kinds} kinds of pieces, and its board no field for them")
        if hasattr(rules, "build_board"):
            rules.build_board(board[0], self.geometry, self.options)
        return board

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """All actions of the game on this board; an action's number is its index here."""
        actions = self.description.actions
        if callable(actions):
            return tuple(actions(self.geometry, self.options))
        return tuple(list_actions(actions, self.geometry))

    @cached_property
    def action_texts(self) -> tuple[str, ...]:
        """The canonical text of each action."""
        return tuple(action.text for action in self.actions)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Rotations and reflections of the board under which the rules don't change, the identity first: 8 on
        squares, 12 on hexagons and honeycombs; only the identity if the rules treat sides differently.

        Raises ValueError if an action's image can't be determined.
        """
        if not self.description.is_symmetric:
            return (identity_of(self.geometry, self.actions),)
        return symmetries_of(self.geometry, self.actions)

    @cached_property
    def known_symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries, or only the identity if the images of actions can't be determined."""
        try:
            return self.symmetries
        except ValueError:
            return (identity_of(self.geometry, self.actions),)

    @cached_property
    def notation(self) -> Notation:
        """How positions of the game are written as text."""
        description, start = self.description, self.start().state
        return Notation(description, self.geometry, self.players, start, repr(self))

    @property
    def cut_off(self) -> int | None:
        """The number of actions after which searches, matches and environments stop an endless game and count
        the points; None if the rules end it (RULES N12)."""
        limit = self.description.max_game_length
        return limit(self.geometry, self.options) if limit and self.description.is_endless else None

    @property
    def player_names(self) -> tuple[str, ...]:
        """The names of the players: Black and White, or colours."""
        return self.description.player_names[: self.players]

    @property
    def scratch(self) -> np.ndarray:
        """This thread's working space for the rules."""
        return self._scratch.space

    def start(self) -> Position:
        """The starting position."""
        if self._start is None:
            states = np.zeros(1, self.description.rules.STATE)
            self._start = Position(self, states, steps.begin(self.board, states))
        return self._start

    def position(self, text: str) -> Position:
        """The position that a text describes, leniently spelled: `game.position(str(position)) == position`.

        Raises ValueError, saying what is wrong with the text (docs/positions.md).
        """
        states = self.start().states()
        for name, numbers in self.notation.read(text).items():
            _set_field(states, name, np.reshape(np.array(numbers, object), states[name].shape[1:]))
        position = self.restored(states)
        self.notation.check(text, position.state)
        return position

    def arranged(self, stones: Mapping[str, int], to_move: int = 0, **fields: Any) -> Position:
        """A position set up by hand: stones by point text, the player to act, and other identity fields of
        the game's state by name, such as points scored in Ren.

        A stone is its player's number; a piece of kind k is k times the number of players plus its player's
        number. Raises ValueError for a point or player that doesn't exist, and for an impossible position.
        """
        if not 0 <= to_move < self.players:
            raise ValueError(f"to_move {to_move}: {self.name} has players 0 to {self.players - 1}")
        states = np.zeros(1, self.description.rules.STATE)
        steps.begin(self.board, states)
        states["stones"][0, : self.geometry.points] = EMPTY
        for text, stone in stones.items():
            if not 0 <= stone < self.players * self.kinds:
                what = "player" if self.kinds == 1 else "piece"
                last = self.players * self.kinds - 1
                raise ValueError(f"{what} {stone} at {text}: {self.name} has {what}s 0 to {last}")
            states["stones"][0][self.point(text)] = stone
        for name, value in {"to_move": to_move, **fields}.items():
            if name not in self.description.rules.IDENTITY:
                known = ", ".join(self.description.rules.IDENTITY)
                raise ValueError(f"{self.name} has no {name!r} to arrange; there are: {known}")
            _set_field(states, name, value)
        return self.restored(states)

    def restored(self, states: np.ndarray, ply: int = 0) -> Position:
        """The position of a state of which only the identity fields are filled in.

        Raises ValueError if these are impossible, or if the game isn't over and there is no legal action.
        """
        if reason := self._why_impossible(states[0]):
            raise ValueError(f"no position of {self!r}: {reason}")
        position = Position(self, states, steps.rebuild(self.board, states, self.scratch), ply)
        if not position.is_over and not position.legal_actions():
            raise ValueError(f"no position of {self!r}: the game isn't over, and nothing can be played")
        return position

    def _why_impossible(self, state: np.void) -> str | None:
        """The first reason why a state can't be a position. Fields are checked before the game sees them, as
        rules index arrays by them."""
        reason = self._impossible_stones(state) or self._impossible_fields(state)
        validation = self.description.validation
        if reason is None and validation is not None:
            reason = validation.validate_state(self, state)
        return reason

    def _impossible_stones(self, state: np.void) -> str | None:
        """`stones` and `to_move`, which every game has; beside the board stones are as at the start."""
        stones, points, pieces = state["stones"], self.geometry.points, range(self.players * self.kinds)
        for stone in (int(stones[:points].min()), int(stones[:points].max())):
            if stone != EMPTY and stone not in pieces:
                if self.kinds > 1:
                    return f"there is a piece {stone}; pieces are {range_in_words(pieces)}"
                return f"there is a stone of player {stone}; players are {range_in_words(pieces)}"
        if int(state["to_move"]) not in range(self.players):
            return f"player {state['to_move']} is to act; players are {range_in_words(range(self.players))}"
        if (stones[points:] != self.start().state["stones"][points:]).any():
            return "there are stones beside the board"
        return None

    def _impossible_fields(self, state: np.void) -> str | None:
        """The first field with a value outside the rules' `RANGES`."""
        ranges = getattr(self.description.rules, "RANGES", {}).items()
        for name, allowed in ranges:
            if reason := out_of_range(state, name, allowed(self) if callable(allowed) else allowed):
                return reason
        return None

    def point(self, text: str) -> int:
        """The number of a point, in lenient spelling. Raises ValueError if there is none."""
        try:
            return self._points[normalised(text)]
        except KeyError:
            names = self.geometry.names
            raise ValueError(
                f"no point {text!r} on this board: points are {names[0]} to {names[-1]}"
            ) from None

    def action(self, text: str) -> int:
        """The number of an action, in lenient spelling: `(3, 6)` is `3,6`, `A1` is `a1`.

        Raises IllegalAction if there is no such action on this board.
        """
        number = self._numbers.get(normalised(text))
        if number is None:
            raise lazy_error(
                IllegalAction,
                "{text} isn't an action in {title}: actions look like {examples}",
                text=truncated_repr(text),
                title=self.description.title,
                examples=self._examples(),
            )
        return number

    def _examples(self) -> str:
        firsts = {action.kind: action.text for action in reversed(self.actions)}
        return ", ".join(firsts[kind] for kind in KINDS if kind in firsts)

    @cached_property
    def _points(self) -> dict[str, int]:
        return {normalised(name): point for point, name in enumerate(self.geometry.names)}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {normalised(text): number for number, text in enumerate(self.action_texts)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.name == other.name and self.options == other.options

    def __hash__(self) -> int:
        return hash((self.name, *self.options.values()))

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"kakomi.game({self.name!r}{chosen})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.description, self.options)


def _check_players(name: str, players: int) -> None:
    if not LEAST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(
            f"{name} has {players} player{'s' * (players != 1)}; "
            f"games for {LEAST_PLAYERS} to {MOST_PLAYERS} can be expressed (docs/what-fits.md)"
        )


def _set_field(states: np.ndarray, name: str, values: Any) -> None:
    """Write a number, or as many as the field has. Raises ValueError for one that it can't hold."""
    bounds = np.iinfo(states[name].dtype)
    for number in np.ravel(np.asarray(values, object)):
        if not bounds.min <= number <= bounds.max:
            raise ValueError(f"{name} can't be {number}: it holds numbers from {bounds.min} to {bounds.max}")
    states[name][0] = values


def out_of_range(state: np.void, name: str, allowed: range) -> str | None:
    """Why a field's numbers are impossible, for a game's `validate_state`; None if all are allowed."""
    for number in state[name].reshape(-1).tolist():
        if number not in allowed:
            return f"{name} can't be {number}: it may be {range_in_words(allowed)}"
    return None


def bare(game: Game, state: np.void) -> Position:
    """The position with a state's stones and player to act, and the start's other fields, for a game's
    `validate_state`."""
    states = game.start().states()
    for name in ("stones", "to_move"):
        states[name] = state[name]
    return game.restored(states)


def ends_game(game: Game, resigned: Collection[int]) -> bool:
    """Whether these resignations end the game (RULES G8): one player is left, or the game has no pass that
    could replace the actions of those who left."""
    if not resigned:
        return False
    return len(resigned) >= game.players - 1 or not any(action.kind == "pass" for action in game.actions)


def idle_actions(position: Position) -> list[int]:
    """The legal actions that change least, for a player who has resigned: the end of a turn, then a pass."""
    actions = position.game.actions
    return [number for kind in _IDLE for number in position.legal_actions() if actions[number].kind == kind]
