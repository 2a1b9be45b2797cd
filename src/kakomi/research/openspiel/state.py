"""A state of a game as OpenSpiel plays it, and what its players see."""

import operator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from kakomi import catalog
from kakomi.core import Game, IllegalAction, Position
from kakomi.core.returns import share_returns
from kakomi.research.observation import observation_spec, observe

if TYPE_CHECKING:
    from kakomi.research.openspiel.game import SpielGame


class Reached:
    """The history of a state. It never changes, so clones share it: OpenSpiel deep-copies all that a
    state holds.

    Its pickle is the list of actions, so a pickle can only hold a reachable state.
    """

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        self.position = position

    def __deepcopy__(self, memo: Any) -> "Reached":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.position.game
        return _reached, (game.name, dict(game.options), self.position.actions_since(game.start()))


def _reached(name: str, options: dict[str, int], actions: list[int]) -> Reached:
    position = catalog.game(name, **options).start()
    for action in actions:
        position = position.play_action(action)
    return Reached(position)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position of a game, and how it was reached. Its actions' texts are those of records.

    `apply_action` raises IllegalAction for what isn't allowed and leaves the state as it was. Actions can't
    be undone: OpenSpiel keeps the history of games written in Python to itself. Clone before instead.
    """

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self._longest = game.max_game_length()
        self._reached = Reached(game.game.start())

    @property
    def position(self) -> Position:
        """The current position."""
        return self._reached.position

    # OpenSpiel's own would round numbers of NumPy's down.
    def apply_action(self, action: int) -> None:
        super().apply_action(operator.index(action))

    def apply_action_with_legality_check(self, action: int) -> None:
        super().apply_action_with_legality_check(operator.index(action))

    def child(self, action: int) -> "SpielState":
        found: SpielState = super().child(operator.index(action))
        return found

    def current_player(self) -> int:
        """The player to act, from 0, or TERMINAL."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.position.to_move

    def is_terminal(self) -> bool:
        """Whether the game has ended, by the rules or by its length."""
        return self.position.is_over or self.position.ply >= self._longest

    def returns(self) -> list[float]:
        """The return of each player: 0 until the game ends."""
        shares = [0.0] * self.position.game.players
        if self.is_terminal():
            share_returns(self.position.scores(), len(shares), shares)
        return shares

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.is_terminal() and not self.position.is_over:
            raise IllegalAction(f"the game is over: it is cut off after {self._longest} actions")
        self._reached = Reached(self.position.play_action(action))

    def _action_to_string(self, player: int, action: int) -> str:
        texts = self.position.game.action_texts
        if not 0 <= action < len(texts):
            raise ValueError(f"there is no action number {action}: they go from 0 to {len(texts) - 1}")
        return texts[action]

    def __str__(self) -> str:
        """The board in characters, and what else tells states apart."""
        position = self.position
        return f"{position.text()}\n{position}, ply {position.ply}"


class PlanesObserver:
    """The planes that a player sees, as OpenSpiel asks for them.

    `tensor` is flat, float32; `dict` holds it as `observation` (planes, height, width), or with the
    parameter `named` one plane (height, width) under each plane's name. Both are written over by `set_from`.
    """

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        if unknown := set(parameters) - {"named"}:
            raise ValueError(f"observations have no parameter {', '.join(sorted(unknown))}; there is: named")
        spec = observation_spec(game)
        self._planes = np.zeros(spec.shape, np.float32)
        self.tensor = self._planes.reshape(-1)
        self.dict = (
            dict(zip(spec.planes, self._planes, strict=True))
            if parameters.get("named")
            else {"observation": self._planes}
        )

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a player sees."""
        self._planes[:] = observe(state.position, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as a line of text, the same for every player."""
        return str(state.position)
