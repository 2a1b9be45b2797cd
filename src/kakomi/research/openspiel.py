"""OpenSpiel games: every game with the prefix `kakomi_`, and its options as parameters.

`import kakomi.research` registers `kakomi_rin` and the others for `pyspiel.load_game`.
"""

import contextlib
import operator
from typing import Any, ClassVar

import numpy as np

from kakomi import catalog
from kakomi.core import Description, Game, IllegalAction, Position
from kakomi.core.option import Option, resolve
from kakomi.core.returns import share_returns
from kakomi.extras import needs_extra
from kakomi.research.observation import observation_spec, observe

with needs_extra("research"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

__all__ = ["SpielGame", "SpielState", "register"]


class Reached:
    """A position and its history. It is immutable, so clones share it, although OpenSpiel deep-copies
    everything that a state holds.

    Its pickle is the list of actions, so that a pickle can only hold a reachable state.
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
    """A position of a game, and how it was reached. Actions' texts are those of game records.

    `apply_action` raises IllegalAction, without changing the state, if an action isn't legal. Actions can't
    be undone, because OpenSpiel doesn't expose the history of games written in Python; clone the state first.
    """

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self._longest = game.max_game_length()
        self._reached = Reached(game.game.start())

    @property
    def position(self) -> Position:
        """The current position."""
        return self._reached.position

    # OpenSpiel's own methods would round NumPy floats down.
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
        """The board as text, and everything else that distinguishes states."""
        position = self.position
        return f"{position.text()}\n{position}, ply {position.ply}"


class PlanesObserver:
    """An OpenSpiel observer of a player's planes.

    `tensor` is flat, float32; `dict` holds it as `observation` (planes, height, width) or, with the parameter
    `named`, each plane (height, width) under its name. `set_from` overwrites both.
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
        """Write a player's observation of a state."""
        self._planes[:] = observe(state.position, player)[0]

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as a line of text, the same for every player."""
        return str(state.position)


LENGTH = "max_game_length"
"""The parameter that ends games early, named as in OpenSpiel's own Go."""


def game_type(description: Description) -> pyspiel.GameType:
    """The OpenSpiel type of a game: its name prefixed by `kakomi_`, its options as parameters with defaults.

    0 stands for a default that depends on other options, and for a length limited only by the rules.
    """
    fewest, most = _players(description)
    return pyspiel.GameType(
        short_name=f"kakomi_{description.name}",
        long_name=description.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            **{option.name: _default(option) for option in description.options},
            LENGTH: 0,
        },
    )


def chosen_options(description: Description, parameters: dict[str, int]) -> dict[str, int | None]:
    """A game's options from OpenSpiel's parameters; None for a default that depends on other options."""
    return {option.name: _chosen(option, parameters[option.name]) for option in description.options}


def _chosen(option: Option, value: int) -> int | None:
    return None if value == 0 and callable(option.default) else value


def _default(option: Option) -> int:
    return 0 if callable(option.default) else option.default


def _players(description: Description) -> tuple[int, int]:
    """The smallest and largest number of players, from the option `players` or the players' names."""
    defaults = resolve(description.name, description.options, {})
    for option in description.options:
        if option.name == "players":
            allowed = option.allowed_given(defaults)
            return min(allowed), max(allowed)
    return len(description.player_names), len(description.player_names)


LONGEST = 1_000_000_000
"""A length that no game reaches, used if no better bound is known or it doesn't fit OpenSpiel's 32 bits."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A Kakomi game for OpenSpiel: `pyspiel.load_game("kakomi_rin(size=8)")`.

    A game ends after `max_game_length()` actions at most, and is then decided by the scores. That is the
    parameter of the same name if given, the cut-off of Ren (RULES N12), or a bound that other games never
    exceed. Raises ValueError, saying what would be valid, if an option is invalid.
    """

    description: ClassVar[Description]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.game = catalog.game(self.description.name, **chosen_options(self.description, parameters))
        """The Kakomi game."""
        given = parameters[LENGTH]
        if given < 0:
            raise ValueError(f"{LENGTH} is {given}; it may be 1 or more, or 0 for as long as the rules allow")
        shown = {**self.game.options, LENGTH: given} if given else dict(self.game.options)
        super().__init__(self.kind, _info(self.game, given or min(_longest(self.game), LONGEST)), shown)

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """An observer of the planes, or with perfect recall, of the actions so far; private information is
        empty.

        `params={"named": True}` gives each plane by its name. Raises ValueError for other parameters.
        """
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return PlanesObserver(self.game, params or {})
        return IIGObserverForPublicInfoGame(kind, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)


def load_game(text: str) -> pyspiel.Game:
    """Load a game from a text such as `kakomi_rin(size=8)`, like `pyspiel.load_game`.

    Pickles refer to this function, so that unpickling imports this package, which registers the games.
    """
    return pyspiel.load_game(text)


def game_class(description: Description) -> type[SpielGame]:
    """The class with which OpenSpiel creates games. It must be a class, because OpenSpiel still holds it at
    interpreter shutdown, which other callables don't survive."""
    members = {"description": description, "kind": game_type(description)}
    return type(f"Spiel{description.title}", (SpielGame,), members)


def _info(game: Game, longest: int) -> pyspiel.GameInfo:
    return pyspiel.GameInfo(
        num_distinct_actions=len(game.actions),
        max_chance_outcomes=0,
        num_players=game.players,
        min_utility=-1 / (game.players - 1),  # RULES, "Returns"
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=longest,
    )


def _longest(game: Game) -> int:
    """The maximum number of actions in a game, or the number after which it is cut off."""
    limit = game.description.max_game_length
    return limit(game.geometry, game.options) if limit else LONGEST


def register() -> None:
    """Register every loadable game with OpenSpiel: `kakomi_rin` and so on."""
    for name in catalog.names():
        with contextlib.suppress(ValueError):  # a broken third-party module; `kakomi.game` reports it
            made = game_class(catalog.describe(name))
            pyspiel.register_game(made.kind, made)
