"""Random beginnings of games, so that bots that repeat themselves don't play one game over and over."""

from collections.abc import Iterator

from kakomi.core import Game, Position
from kakomi.kernel import below, random_state
from kakomi.kernel.random import RandomState

MOST_DRAWS = 20
"""The number of openings to try. If none of them is open, the least one-sided is taken."""
PLAYOUTS = 24
ONE_SIDED = 0.9
"""An opening is decided if a player's mean return in random playouts is this far from 0."""


def opening(game: Game, seed: int, plies: int) -> list[int]:
    """The random actions of an opening, up to the end of a turn.

    Nobody passes in it, and it leaves the game open: neither over nor won by one side in nearly all
    random playouts. It depends on nothing but the rules and the arguments.
    """
    if plies <= 0:
        return []
    rng = random_state(seed)
    drawn = []
    for _ in range(MOST_DRAWS):
        end = _wander(game.start(), plies, rng)
        lopsided = _one_sidedness(end, rng)
        if lopsided < ONE_SIDED:
            return end.played()
        drawn.append((lopsided, end.played()))
    return min(drawn)[1]


def _wander(position: Position, plies: int, rng: RandomState) -> Position:
    while not position.is_over and (position.ply < plies or position.turn):
        actions = _active(position)
        position = position.play_action(actions[below(rng, len(actions))])
    return position


def _active(position: Position) -> list[int]:
    """The legal actions without passes, if there are others."""
    legal = position.legal_actions()
    return [action for action in legal if position.game.actions[action].kind != "pass"] or legal


def _one_sidedness(position: Position, rng: RandomState) -> float:
    """The largest mean return of a player in random playouts, 0 to 1; 2 if the game is over."""
    if position.is_over:
        return 2.0
    totals = [0.0] * position.game.players
    for _ in range(PLAYOUTS):
        *_, end = random_walk(position, rng)
        totals = [total + gain for total, gain in zip(totals, end.returns(), strict=True)]
    return max(totals) / PLAYOUTS


def random_walk(position: Position, rng: RandomState) -> Iterator[Position]:
    """The positions of a game that goes on at random from here, each legal action as likely: this one first,
    the end last."""
    yield position
    while not position.is_over:
        actions = position.legal_actions()
        position = position.play_action(actions[below(rng, len(actions))])
        yield position
