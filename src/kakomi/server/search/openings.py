"""Positions near the beginning of a game, told apart but for the board's symmetries."""

import hashlib
from collections.abc import Iterator

from kakomi.core import Position
from kakomi.server.search.models import KEY_LENGTH
from kakomi.session import Table

PLIES = 10
"""So many actions of a game are looked at."""


def opening_key(position: Position) -> str:
    """The same for positions of a game on a board whose stones are alike but for a symmetry."""
    game, owners = position.game, position.stones()
    geometry = game.geometry
    stones = [owners.get(name, -1) for name in geometry.names]
    images = (
        tuple(stone for _, stone in sorted(zip(symmetry.points, stones, strict=True)))
        for symmetry in game.symmetries
    )
    named = (game.name, game.players, geometry.kind, geometry.size, position.to_move, min(images))
    return hashlib.blake2b(repr(named).encode(), digest_size=KEY_LENGTH // 2).hexdigest()


def opening_keys(table: Table) -> Iterator[str]:
    """The keys of the positions near the beginnings of a match's games; of each position one."""
    for leg in table.match.games:
        position = leg.config.start
        for action in leg.actions()[:PLIES]:
            position = position.play_action(action)
            yield opening_key(position)


def position_at(table: Table, ply: int) -> Position:
    """The position of a match's first game after some actions, at most as many as are looked at."""
    leg = table.match.games[0]
    position = leg.config.start
    for action in leg.actions()[: min(ply, PLIES)]:
        position = position.play_action(action)
    return position
