"""Positions, games and what a search found, as the protocol tells them."""

from collections.abc import Iterable, Sequence
from typing import Any

from kakomi.core import Description, Game, Option, Position
from kakomi.core.option import resolve
from kakomi.search import Report

_DIGITS = 4
"""Of returns, chances and seconds."""


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


def found(position: Position, report: Report, most: int) -> dict[str, Any]:
    """What a search found, with its best lines, `most` of them."""
    game, mover = position.game, position.to_move
    return {
        "action": game.action_texts[report.action],
        "to_move": mover,
        "simulations": report.simulations,
        "seconds": round(report.seconds, _DIGITS),
        "returns": [round(value, _DIGITS) for value in report.values],
        "chances": [chance(value, game.players) for value in report.values],
        "is_proven": report.is_proven,
        "is_full": report.is_full,
        "principal": texts(game, report.principal),
        "lines": [
            {
                "action": game.action_texts[line.action],
                "visits": line.visits,
                "returns": [round(value, _DIGITS) for value in line.values],
                "chances": [chance(value, game.players) for value in line.values],
                "wins": line.wins,
                "loses": line.loses,
                "principal": texts(game, line.principal),
            }
            for line in report.lines[:most]
        ],
    }


def thought(position: Position, part: float, report: Report) -> dict[str, Any]:
    """How far the choice of an action has come, and what the game looks like so far."""
    game = position.game
    return {
        "progress": round(part, _DIGITS),
        "to_move": position.to_move,
        "chances": [chance(value, game.players) for value in report.values],
        "principal": texts(game, report.principal),
    }


def chance(value: float, players: int) -> float:
    """A mean return as the share of the win that it stands for, from 0 to 1 (RULES, "Returns").

    A player with the share s of a win, 1/k if k share it, gets the return (n s - 1)/(n - 1); for two
    players this is (1 + v)/2.
    """
    return round((1 + value * (players - 1)) / players, _DIGITS)


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
