"""The reference of Rive against the examples and stated properties of its rules."""

import itertools
from collections import Counter

import pytest

from reference import Position, make
from reference.common import components
from reference.moves import BLACK, WHITE, play_all, random_game, stones
from reference.perft import after
from reference.rive import Rive
from reference.rive import board_neighbours as rive_neighbours


def group_sizes(position: Position, neighbours) -> list[int]:
    return sorted((len(group) for group in components(position.stones(), neighbours)), reverse=True)


@pytest.mark.parametrize("side", range(2, 9))
def test_rive_geometry(side):
    neighbours = rive_neighbours(side)
    assert len(neighbours) == 3 * side * (side - 1) + 1
    degrees = Counter(len(near) for near in neighbours.values())
    inner = 3 * (side - 1) * (side - 2) + 1
    assert degrees == Counter({6: inner, 3: 6, 4: 6 * (side - 2)})
    assert all(cell in neighbours[near] for cell in neighbours for near in neighbours[cell])


def test_rive_neighbours_by_name():
    neighbours = rive_neighbours(4)
    assert set(neighbours["d4"]) == {"d3", "d5", "c3", "c4", "e3", "e4"}
    assert set(neighbours["a1"]) == {"a2", "b1", "b2"}
    assert set(neighbours["g4"]) == {"g3", "f4", "f5"}


def test_rive_isolated_placement_is_obligatory():
    position = play_all(make("rive"), "d4")
    assert position.legal() == set(position._points) - {"d4", *rive_neighbours(4)["d4"]}


def test_rive_capture():
    position = Rive.arranged(stones(black="a1", white="c2"), BLACK, size=2)
    assert position.legal() == {"a2", "b1", "b2", "b3", "c1"}
    position.play("b2")
    assert position.legal() == {"xa1", "xc2"}
    position.play("xa1")
    assert position.stones() == stones(black="b2", white="c2")
    assert position.to_move == BLACK  # RULES V6
    position.play("a1")
    assert position.to_move == WHITE


def test_rive_capture_of_three_groups():
    position = Rive.arranged(stones(black="a1 b3", white="c1"), WHITE, size=2)
    play_all(position, "b2", "xb3")
    assert position.legal() == {"xa1", "xc1"}
    position.play("xc1")
    assert position.stones() == stones(black="a1", white="b2")
    assert position.to_move == WHITE


def test_rive_removals_must_not_split_the_group():
    # a1, b1 and c1 form a row around the middle; b3 is alone. Joining them at a2 gives a group of five.
    position = Rive.arranged(stones(black="a1 b1 c1", white="b3"), BLACK, size=2)
    position.play("a2")
    assert position.legal() == {"xc1", "xb3"}


def random_placements(side: int, seed: int) -> list[tuple[Rive, str, Rive]]:
    """The placements of a random game: the position before, the cell, and the position after its removals."""
    position = Rive(size=side)
    placements = [(before, act) for before, act in random_game(position, seed) if not act.startswith("x")]
    afterwards = [before for before, _ in placements[1:]] + [position]
    return [(before, cell, then) for (before, cell), then in zip(placements, afterwards, strict=True)]


@pytest.mark.parametrize("side", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_rive_placement_leaves_one_group_of_the_right_size(side, seed):
    neighbours = rive_neighbours(side)
    for before, cell, then in random_placements(side, seed):
        groups = components(before.stones(), neighbours)
        touched = [group for group in groups if group & set(neighbours[cell])]
        untouched = [len(group) for group in groups if group not in touched]
        size = max((len(group) for group in touched), default=0) + 1
        assert group_sizes(then, neighbours) == sorted([*untouched, size], reverse=True)
        assert cell in then.stones()  # RULES V5: never removed
        assert group_sizes(before, neighbours) < group_sizes(then, neighbours)  # RULES V8
        assert then.is_over or then.to_move == (before.to_move if len(touched) > 1 else 1 - before.to_move)
    assert then.is_over
    assert sorted(then.returns()) == [-1, 1]


def results_of_removals(position: Rive) -> set[frozenset[str]]:
    """The possible sets of stones after the current capture, removing one stone at a time."""
    if position._joining_stone is None:
        return {frozenset(position.stones())}
    return set().union(*(results_of_removals(after(position, action)) for action in position.legal()))


@pytest.mark.parametrize("seed", range(4))
def test_rive_removals_one_by_one_reach_what_the_seed_allows(seed):
    """RULES V4 and V5 are equivalent: any choice of stones that leaves one group of the right size."""
    neighbours = rive_neighbours(3)
    for before, cell, _ in random_placements(3, seed):
        touched = [g for g in components(before.stones(), neighbours) if g & set(neighbours[cell])]
        size = max((len(group) for group in touched), default=0) + 1
        joined = {cell}.union(*touched)
        elsewhere = set(before.stones()) - joined
        allowed = {
            frozenset(elsewhere.union(left))
            for left in itertools.combinations(joined, size)
            if len(components(left, neighbours)) == 1
        }
        assert results_of_removals(after(before, cell)) == allowed


def test_rive_median_length_of_random_games():
    """RULES V8: a median of 57 actions on side 3."""
    lengths = sorted(sum(1 for _ in random_game(Rive(size=3), seed)) for seed in range(200))
    assert 52 <= lengths[100] <= 62
