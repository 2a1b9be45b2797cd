"""The solver's pruning in Rings, compared with rules without pruning."""

import random

import pytest

import kakomi
from kakomi import Game, Position
from kakomi.solve import Solver
from solve.plain_rules import saying_nothing
from solve.test_values import solved


@pytest.mark.parametrize(("players", "seat", "left"), [(2, 0, 9), (2, 1, 9), (3, 0, 6), (3, 2, 6)])
def test_what_rings_leaves_out_changes_no_value(players: int, seat: int, left: int) -> None:
    """Combined conversions and twin points, in positions far beyond the reach of brute force."""
    game = kakomi.game("rings", size=2, players=players)
    positions = [position_with(game, left, seed) for seed in range(12)]
    short = [solved(position, seat, memory_mb=8) for position in positions]
    for solver in short:
        plain = saying_nothing(game).position(str(solver.position))
        assert solver.value == solved(plain, seat, memory_mb=32).value
    assert len({solver.value for solver in short}) > 2


def position_with(game: Game, empty: int, seed: int) -> Position:
    """The first position of a random game with at most `empty` empty points, without passes or early ends."""
    rng = random.Random(seed)
    position = game.start()
    while len(game.geometry.names) - len(position.stones()) > empty:
        position = position.play(rng.choice(sorted(set(position.legal()) - {"pass", "end"})))
    return position


def test_black_forces_all_circles_of_a_small_rings_board() -> None:
    solver = Solver(kakomi.game("rings", size=2).start(), memory_mb=64)
    assert solver.settle(7) and solver.value == 7  # the maximum is seven circles, so one question suffices
    assert solver.nodes < 3_000_000
