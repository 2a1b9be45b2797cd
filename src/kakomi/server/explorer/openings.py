"""Positions near the beginning of a game, identified up to the board's symmetries."""

import hashlib
from collections.abc import Iterator
from statistics import fmean

from kakomi.core import Position
from kakomi.core.returns import chance_of
from kakomi.server.explorer.models import KEY_LENGTH
from kakomi.session import MatchGame, Table

FIRST = 0
"""The first player."""
PLIES = 10
"""The number of actions of a game that are indexed."""


def opening_key(position: Position) -> str:
    """A key that is equal for positions whose stones differ only by a symmetry of the board."""
    game, owners = position.game, position.stones()
    geometry = game.geometry
    stones = [owners.get(name, -1) for name in geometry.names]
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in game.symmetries
    )
    named = (game.name, game.players, geometry.kind, geometry.size, position.to_move, min(images))
    return hashlib.blake2b(repr(named).encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def openings_of(table: Table) -> dict[str, float | None]:
    """The keys of the positions near the beginnings of a match's games, with the first player's mean share of
    the win in the games with that position; None if none of those has a result."""
    shares: dict[str, list[float]] = {}
    for game in table.match.games:
        share = _first_share(game)
        for key in set(_keys(game)):
            shares.setdefault(key, []).extend(() if share is None else (share,))
    return {key: fmean(found) if found else None for key, found in shares.items()}


def _keys(game: MatchGame) -> Iterator[str]:
    position = game.config.start
    for action in game.actions()[:PLIES]:
        position = position.play_action(action)
        yield opening_key(position)


def _first_share(game: MatchGame) -> float | None:
    """The share of the win of the player who began, as swap and negotiation change the seats' colours."""
    seat = game.seat_of(FIRST)
    if not game.is_over or seat is None:
        return None
    return chance_of(game.result().returns[seat], game.game.players)


def position_at(table: Table, ply: int) -> Position:
    """The position of a match's first game after `ply` actions, at most `PLIES`."""
    leg = table.match.games[0]
    position = leg.config.start
    for action in leg.actions()[: min(ply, PLIES)]:
        position = position.play_action(action)
    return position
