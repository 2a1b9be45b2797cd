"""The bounds of a Rings position hold at the end of every game from it."""

import random

import numpy as np
import pytest

import kakomi
from games.bounds_driver import say
from kakomi import Position


def bounds(position: Position) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Each player's certain majorities, possible majorities, and standing."""
    players = position.game.players
    found = np.zeros(players, np.int64), np.zeros(players, np.int64), np.zeros(players)
    say(position.game.board, position.states(), *found)
    return found


@pytest.mark.parametrize(("size", "players"), [(2, 2), (2, 3), (3, 2), (3, 6)])
def test_scores_end_within_their_bounds_which_only_close_in(size: int, players: int) -> None:
    start = kakomi.game("rings", size=size, players=players).start()
    circles, settled_early = len(start.game.geometry.cells), 0
    for seed in range(15):
        rng, position = random.Random(f"{size} {players} {seed}"), start
        sure, attainable = np.zeros(players), np.full(players, circles)
        while not position.is_over:
            position = position.play(rng.choice(sorted(set(position.legal()) - {"end"})))
            now_sure, now_attainable, _ = bounds(position)
            assert (sure <= now_sure).all() and (now_attainable <= attainable).all()
            assert (now_sure <= position.scores()).all() and (position.scores() <= now_attainable).all()
            sure, attainable = now_sure, now_attainable
            if not position.is_over:
                settled_early += int((sure > 0).any() or (attainable < circles).any())
    assert settled_early > 60


def test_a_circle_between_two_rings_is_settled_before_it_is_full() -> None:
    """Black's rings around the middle and at one corner of the board give the circle between them three safe
    stones and two rings of influence, against three points."""
    start = kakomi.game("rings", size=2).start()
    geometry = start.game.geometry
    middle = max(range(7), key=lambda cell: len(geometry.cells[cell].neighbours))
    corner = geometry.cells[middle].neighbours[0]
    points = {*geometry.cells[middle].points, *geometry.cells[corner].points}
    position = start
    for point in sorted(points):
        position = position.play(geometry.names[point]).play("pass")
    sure, attainable, standing = bounds(position)
    assert sure.tolist() == [4, 0]  # the rings and the two circles beside both
    assert attainable[1] == 3 and standing[0] > standing[1]
