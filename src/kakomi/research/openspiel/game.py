"""A game with its options, as OpenSpiel loads it."""

from typing import Any, ClassVar

import pyspiel
from open_spiel.python.observation import (
    IIGObserverForPublicInfoGame,
)

from kakomi import catalog
from kakomi.core import Description, Game
from kakomi.research.openspiel.kind import LENGTH, chosen_options, game_type
from kakomi.research.openspiel.observer import PlanesObserver
from kakomi.research.openspiel.state import SpielState

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
    """The game of a text such as `kakomi_rin(size=8)`, as `pyspiel.load_game`. Pickles of games name this
    function: whoever finds it has registered the games by importing it."""
    return pyspiel.load_game(text)


def game_class(description: Description) -> type[SpielGame]:
    """What makes a game when OpenSpiel loads it: a class, as nothing else outlives Python's own end, at
    which OpenSpiel still holds it.
    """
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
