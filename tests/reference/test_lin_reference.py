"""The reference of Lin against the examples and stated properties of its rules."""

import itertools

import pytest

from reference.lin import Lin
from reference.moves import BLACK, WHITE, random_game, stones
from reference.perft import after


def living(position: Lin) -> list[set[str]]:
    return [position.living(BLACK), position.living(WHITE)]


@pytest.mark.parametrize(
    ("options", "line"),
    [({"size": 5}, 4), ({"size": 7}, 5), ({"size": 9}, 6), ({}, 6), ({"size": 7, "line": 3}, 3)],
)
def test_lin_line_length(options, line):
    position = Lin(**options)
    assert position.is_alive({f"a{number}" for number in range(1, line + 1)})
    assert not position.is_alive({f"a{number}" for number in range(1, line)})


@pytest.mark.parametrize("order", list(itertools.permutations(["a2", "b1"])))
def test_lin_dead_stone_is_removed(order):
    position = Lin.arranged(stones(white="a1", black=order[0]), BLACK, size=9)
    position.play(order[1])
    assert position.stones() == stones(black="a2 b1")
    assert "a1" not in position.legal()
    assert position.scores() == [81, 78]


@pytest.mark.parametrize(("komi", "returns"), [(0, [1, -1]), (4, [1, -1]), (6, [-1, 1])])
def test_lin_end_and_komi(komi, returns):
    # Columns a to c are Black's alone, d and e White's: 15 points to 10.
    walls = stones(black="a3 b3 c1 c2 c3 c4", white="d1 d2 d3 d4 d5 e3")
    position = Lin.arranged(walls, BLACK, size=5, komi=komi)
    assert not position.is_over
    position.play("c5")
    assert position.is_over
    assert position.scores() == [15, 10 + komi]
    assert position.returns() == returns


@pytest.mark.parametrize(
    "options", [{"size": 5}, {"size": 5, "line": 3}, {"size": 7}, {"size": 7, "line": 3}, {"size": 9}]
)
@pytest.mark.parametrize("seed", range(2))
def test_lin_properties(options, seed):
    """RULES L6."""
    position = Lin(**options)
    contested = set(position._points)
    for before, action in random_game(position, seed):
        black, white = living(before)
        assert black | white == set(position._points)
        assert black & white <= contested
        contested = black & white
        assert contested <= before.legal()
        if action in living(before)[before.to_move] - living(before)[1 - before.to_move]:
            assert living(after(before, action)) == [black, white]
    black, white = living(position)
    assert black | white == set(position._points)
    assert not black & white
    assert sum(position.scores()) == len(position._points)
