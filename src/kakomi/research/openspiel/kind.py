"""What OpenSpiel is told of a game before its options are known."""

import pyspiel

from kakomi.core import Description
from kakomi.core.option import Option, resolve

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
    """How many may play, at least and at most: what the option `players` allows, or all who have a name."""
    defaults = resolve(description.name, description.options, {})
    for option in description.options:
        if option.name == "players":
            allowed = option.allowed_given(defaults)
            return min(allowed), max(allowed)
    return len(description.player_names), len(description.player_names)
