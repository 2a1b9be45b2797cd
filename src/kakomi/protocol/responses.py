"""Positions and games as the protocol writes them; results of a search are a `search.Report`."""

from collections.abc import Iterable, Sequence
from typing import Any

from kakomi.core import Description, Game, Option, Position
from kakomi.core.option import resolve


def described(description: Description) -> dict[str, Any]:
    """A game with its options. Values that depend on other options are given for their defaults."""
    defaults = resolve(description.name, description.options, {})
    return {
        "name": description.name,
        "title": description.title,
        "author": description.author,
        "year": description.year,
        "summary": description.summary,
        "options": [_option(option, defaults) for option in description.options],
        "komi_option": description.komi_option or None,
    }


def stand(position: Position) -> dict[str, Any]:
    """The state of a game."""
    game = position.game
    return {
        "ply": position.ply,
        "to_move": None if position.is_over else position.to_move,
        "turn": texts(game, position.turn),
        "is_over": position.is_over,
        "scores": position.scores(),
        "returns": position.returns() if position.is_over else None,
    }


def board(game: Game) -> dict[str, Any]:
    """A game with its options chosen."""
    return {
        "game": game.name,
        "options": dict(game.options),
        "players": list(game.player_names),
        "points": list(game.geometry.names),
    }


def texts(game: Game, actions: Iterable[int]) -> list[str]:
    """The texts of actions."""
    return [game.action_texts[action] for action in actions]


def _option(option: Option, defaults: dict[str, int]) -> dict[str, Any]:
    allowed: Sequence[int] = option.allowed_given(defaults)
    return {
        "name": option.name,
        "help": option.help,
        "default": defaults[option.name],
        "allowed": list(allowed),
        "presets": list(option.presets),
    }
