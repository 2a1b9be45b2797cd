"""A game with its options chosen: where positions come from."""

import threading
from collections.abc import Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from kakomi.boards import Geometry
from kakomi.core import steps
from kakomi.core.action import KINDS, Action, IllegalAction, list_actions, normalised
from kakomi.core.description import Description
from kakomi.core.i18n import lazy_message
from kakomi.core.notation import Notation
from kakomi.core.option import resolve
from kakomi.core.position import Position
from kakomi.core.symmetry import Symmetry, identity_of, symmetries_of
from kakomi.core.validation import check_players, check_state, set_field
from kakomi.core.wording import truncated_repr
from kakomi.kernel import register
from kakomi.kernel.records import EMPTY


def short_cuts_of(solving: ModuleType | None) -> ModuleType | None:
    """A solver's short cuts if they go with a game's own rules and are not rules themselves."""
    return None if hasattr(solving, "STATE") else solving


class _Scratch(threading.local):
    """Working space for the rules, one a thread."""

    def __init__(self, kind: np.dtype) -> None:
        self.space = np.zeros(1, kind)


class Game:
    """A game and its options. Two games are equal if both agree; games are immutable and hashable.

    Raises ValueError if an option is unknown or out of range, and for a description that no game can have.
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
        check_players(self.name, self.players)
        self.kinds = max(1, len(description.style.kinds))
        """How many kinds of pieces each player has."""
        self.board = self._build_board()
        """Geometry and options as the one-element record array that the rules take."""
        self._scratch = _Scratch(description.rules.SCRATCH)
        self._start: Position | None = None

    def _build_board(self) -> np.ndarray:
        """What every board holds, and what the rules add to it. Raises ValueError for several kinds of pieces
        that the board has no field for."""
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
        """Every action of the game on this board; an action's number is its place here."""
        actions = self.description.actions
        if callable(actions):
            return tuple(actions(self.geometry, self.options))
        return tuple(list_actions(actions, self.geometry))

    @cached_property
    def action_texts(self) -> tuple[str, ...]:
        """The one spelling of each action."""
        return tuple(action.text for action in self.actions)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """What the rotations and reflections of the board do to the game, the one that changes nothing
        first: 8 on squares, 12 on hexagons and honeycombs; only that one if the rules treat sides
        differently.

        Raises ValueError if the game's actions don't say what becomes of them.
        """
        if not self.description.is_symmetric:
            return (identity_of(self.geometry, self.actions),)
        return symmetries_of(self.geometry, self.actions)

    @cached_property
    def notation(self) -> Notation:
        """How positions of the game are written."""
        return Notation(self)

    @property
    def cut_off(self) -> int | None:
        """After how many actions searches, matches and environments cut a game off and count the points;
        None where the rules end it (RULES N12)."""
        limit = self.description.max_game_length
        return limit(self.geometry, self.options) if limit and self.description.is_endless else None

    @property
    def player_names(self) -> tuple[str, ...]:
        """What the players are called: Black and White, or colours."""
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
        """The position that `str` wrote, leniently spelled: `game.position(str(position)) == position`.

        Raises ValueError, saying what is wrong with the text (docs/positions.md).
        """
        return self.notation.read(text)

    def arranged(self, stones: Mapping[str, int], to_move: int = 0, **fields: Any) -> Position:
        """A position set up by hand: these stones, by point text, and no others; the player to act; and for
        games whose state holds more (points scored in Ren, say) the identity fields of that name.

        A stone is its player's number; where players have several kinds of pieces, that of a piece of kind k
        is k times the number of players higher. Raises ValueError for a point or player that doesn't exist,
        and for what the rules can't go on from.
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
            set_field(states, name, value)
        return self.restored(states)

    def restored(self, states: np.ndarray, ply: int = 0) -> Position:
        """The position of a state of which only the identity fields are filled in.

        Raises ValueError if the rules can't go on from them, or would without an action.
        """
        check_state(self, states)
        position = Position(self, states, steps.rebuild(self.board, states, self.scratch), ply)
        if not position.is_over and not position.legal_actions():
            raise ValueError(f"no position of {self!r}: the game isn't over, and nothing can be played")
        return position

    def point(self, text: str) -> int:
        """The number of a point, leniently spelled. Raises ValueError if there is none."""
        try:
            return self._points[normalised(text)]
        except KeyError:
            names = self.geometry.names
            raise ValueError(
                f"no point {text!r} on this board: points are {names[0]} to {names[-1]}"
            ) from None

    def action(self, text: str) -> int:
        """The number of an action, leniently spelled: `(3, 6)` is `3,6`, `A1` is `a1`.

        Raises IllegalAction if there is no such action on this board.
        """
        number = self._numbers.get(normalised(text))
        if number is None:
            raise IllegalAction(
                lazy_message(
                    "{text} is no action of {title}: actions look like {examples}",
                    text=truncated_repr(text),
                    title=self.description.title,
                    examples=self._examples(),
                )
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
