"""Pieces of work whose cost is measured: workers import this file."""

import time
from typing import NamedTuple

import kakomi
from kakomi.bots import make_bot
from kakomi.core import Game
from kakomi.search import Search


class Cost(NamedTuple):
    """Of one game, or of several together."""

    games: int
    actions: int
    seconds: float
    """Of the processor, like all seconds here. Bots keep what they have searched from action to action."""
    simulations: int
    """Of searches of the first position, which know nothing yet."""
    search_seconds: float


def game_cost(name: str, limit: int, *, seed: int) -> Cost:
    """Play a game of equal bots, of `limit` simulations an action, on the default board. Compiling doesn't
    count."""
    game = kakomi.game(name)
    make_bot(f"simulations:{limit}").choose(game.start())
    actions, seconds = _played(game, limit, seed)
    begun = time.process_time()
    simulations = Search(game, seed=seed).run(game.start(), simulations=limit).simulations
    return Cost(1, actions, seconds, simulations, time.process_time() - begun)


def _played(game: Game, limit: int, seed: int) -> tuple[int, float]:
    """How many actions a game had, and what it took."""
    bots = [make_bot(f"simulations:{limit}", seed=seed + player) for player in range(game.players)]
    begun, position = time.process_time(), game.start()
    while not position.is_over and position.ply < (game.cut_off or float("inf")):
        position = position.play_action(bots[position.to_move].choose(position))
    return position.ply, time.process_time() - begun


def nothing() -> None:
    """A piece that costs nothing but its way."""
