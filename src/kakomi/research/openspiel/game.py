"""A game as OpenSpiel knows it: its type before the options are known, then the game itself."""

from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import (
    IIGObserverForPublicInfoGame,
)

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.core.option import Option, resolve
from kakomi.research.openspiel.state import PlanesObserver, SpielState

LENGTH = "max_game_length"
"""The parameter that ends games early; OpenSpiel's own Go has it under this name."""


def game_type(description: Description) -> pyspiel.GameType:
    """The type of a game: its name behind `kakomi_`, its options as parameters with their defaults.

    0 stands for a default that depends on other options, and for games as long as the rules let them be.
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
    """A game's options among OpenSpiel's parameters; None for a default that depends on the others."""
    return {option.name: _chosen(option, parameters[option.name]) for option in description.options}


def _chosen(option: Option, value: int) -> int | None:
    return None if value == 0 and callable(option.default) else value


def _default(option: Option) -> int:
    return 0 if callable(option.default) else option.default


def _players(description: Description) -> tuple[int, int]:
    """The least and the largest number of players: by the option `players`, or by the players' names."""
    defaults = resolve(description.name, description.options, {})
    for option in description.options:
        if option.name == "players":
            allowed = option.allowed_given(defaults)
            return min(allowed), max(allowed)
    return len(description.player_names), len(description.player_names)


LONGEST = 1_000_000_000
"""Actions that no game comes to, where no better bound is known or it is beyond OpenSpiel's 32 bits."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Kakomi for OpenSpiel: `pyspiel.load_game("kakomi_rin(size=8)")`.

    No game is longer than `max_game_length()`: there it ends and its scores are counted as they stand. That
    is where a game of Ren is cut off (RULES N12), a bound that others never exceed, or what the parameter
    of that name says. Raises ValueError for an option that isn't possible and says what would be.
    """

    description: ClassVar[Description]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.game = catalog.game(self.description.name, **chosen_options(self.description, parameters))
        """The game of Kakomi that this is."""
        given = parameters[LENGTH]
        if given < 0:
            raise ValueError(f"{LENGTH} is {given}; it may be 1 or more, or 0 for as long as the rules allow")
        shown = {**self.game.options, LENGTH: given} if given else dict(self.game.options)
        super().__init__(self.kind, _info(self.game, given or min(_longest(self.game), LONGEST)), shown)

    def new_initial_state(self) -> SpielState:
        """The start of a game."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: dict[str, Any] | None = None) -> Any:
        """What is seen: planes, or with perfect recall the actions so far, or nothing that is private.

        `params={"named": True}` gives each plane by its name. Raises ValueError for other parameters.
        """
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return PlanesObserver(self.game, params or {})
        return IIGObserverForPublicInfoGame(kind, params)

    def __reduce__(self) -> tuple[Any, ...]:
        return load_game, (str(self),)


def load_game(text: str) -> pyspiel.Game:
    """The game of a text such as `kakomi_rin(size=8)`, like `pyspiel.load_game`.

    Pickles of games name this function. Its import registers the games.
    """
    return pyspiel.load_game(text)


def game_class(description: Description) -> type[SpielGame]:
    """The class by which OpenSpiel creates games. It is a class because OpenSpiel still holds it when
    Python ends, and nothing else outlives that."""
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
    """The most actions that a game can have, or after how many it is cut off."""
    limit = game.description.max_game_length
    return limit(game.geometry, game.options) if limit else LONGEST
