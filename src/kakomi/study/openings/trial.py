"""One search for the first turns of a game."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kakomi import catalog
from kakomi.bots import Bot, make_bot
from kakomi.core import Position


class OpeningTrial(Struct, frozen=True):
    """What a player did once; `number` and the seed of the study say with which seed."""

    number: int
    turns: tuple[tuple[str, ...], ...]
    """The actions of the first turn, and of the next ones if they were asked for."""
    expected: tuple[float | None, ...]
    """For each turn the share of the win, from 0 to 1, that the search expected for who played it, once the
    turn's last choice was made; None of a player that doesn't search."""


def try_opening(
    name: str, options: Mapping[str, Any], number: int, bot: str, turns: int, *, seed: int
) -> OpeningTrial:
    """Ask a bot for the first turns of a game, which it plays for all seats.

    The same arguments give the same trial, but for a bot that thinks by the clock.
    """
    player, position = make_bot(bot, seed=seed), catalog.game(name, **options).start()
    texts = position.game.action_texts
    played: list[tuple[str, ...]] = []
    expected: list[float | None] = []
    while len(played) < turns and not position.is_over:
        turn, position, share = _turn(player, position)
        played.append(tuple(texts[action] for action in turn))
        expected.append(share)
    return OpeningTrial(number, tuple(played), tuple(expected))


def _turn(player: Bot, position: Position) -> tuple[list[int], Position, float | None]:
    """The actions of a whole turn, where they lead to, and what was expected of them."""
    actions: list[int] = []
    expected = None
    while not actions or not position.is_between_turns:
        actions.append(player.choose(position))
        told = _expected(player, position, actions[-1])
        expected = expected if told is None else told
        position = position.play_action(actions[-1])
    return actions, position, expected


def _expected(player: Bot, position: Position, action: int) -> float | None:
    """What the search for an action expects of it for who plays it."""
    lines = player.last_report.lines if player.last_report else ()
    return next((line.chances[position.to_move] for line in lines if line.action == action), None)
