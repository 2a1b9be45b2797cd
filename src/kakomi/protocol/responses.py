"""Positions and games, as the protocol tells them; what a search found is a `search.Report`."""

from collections.abc import Iterable, Sequence
from typing import Any

from kakomi.core import Description, Game, Option, Position
from kakomi.core.option import resolve


def described(description: Description) -> dict[str, Any]:
    """A game and what may be chosen of it; what depends on other options is told for their defaults."""
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
    """How a game stands."""
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
    """Actions as they are spelled."""
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
