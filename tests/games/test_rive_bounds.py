"""The bounds of a Rive position hold for all continuations."""

import random

import numpy as np
import pytest

import kakomi
from games.bounds_driver import say
from kakomi import Position


def bounds(position: Position) -> tuple[list[int], list[int]]:
    """The fewest and the most stones that each player will have."""
    least, most = np.zeros(2, np.int64), np.zeros(2, np.int64)
    say(position.game.board, position.states(), least, most, np.zeros(2))
    return least.tolist(), most.tolist()


@pytest.mark.parametrize("size", [2, 3, 4])
def test_games_end_within_the_bounds_and_these_are_the_result_once_players_only_fill(size: int) -> None:
    known_early = 0
    for seed in range(12):
        rng, positions = random.Random(f"{size} {seed}"), [kakomi.game("rive", size=size).start()]
        while not positions[-1].is_over:
            positions.append(positions[-1].play(rng.choice(positions[-1].legal())))
        end = list(positions[-1].scores())
        for position in positions[:-1]:
            least, most = bounds(position)
            assert all(low <= score <= high for low, score, high in zip(least, end, most, strict=True))
            if least == most:
                assert least == end
                known_early += len(position.legal()) > 1
    assert known_early > 12


@pytest.mark.parametrize("black_to_move", [True, False])
def test_the_stones_still_to_come_are_shared_in_turn(black_to_move: bool) -> None:
    stones = {"a1": 0, "a2": 0, "b1": 0, "b2": 1}
    position = kakomi.game("rive", size=2).arranged(stones, 0 if black_to_move else 1)
    assert bounds(position)[0] == ([5, 2] if black_to_move else [4, 3])
    assert bounds(position)[0] == bounds(position)[1]


def test_nothing_is_known_at_the_start_nor_while_captures_are_to_come() -> None:
    start = kakomi.game("rive", size=2).start()
    two_groups = kakomi.game("rive", size=2).arranged({"a1": 0, "a2": 0, "c2": 1}, 0)
    in_a_capture = kakomi.game("rive", size=2).arranged({"a1": 0, "b3": 0, "c1": 1}, 0).play("b2")
    for position in (start, two_groups, in_a_capture):
        assert bounds(position) == ([0, 0], [7, 7])
