"""The reference of Rin against the examples and stated properties of its rules."""

import itertools

import pytest

from reference import make
from reference.moves import BLACK, WHITE, play_all, random_game, stones
from reference.rin import Rin, safe_zone


def rin_corner(corner: int, to_move: int) -> Rin:
    """Figure 2 of Rin's document, which doesn't say the colour of the stone in the corner."""
    figure = stones(black="1,2 2,1", white="0,1 1,0 2,0 2,2 3,1") | {"0,0": corner}
    return Rin.arranged(figure, to_move)


@pytest.mark.parametrize("corner", [BLACK, WHITE])
def test_rin_alive_and_immune(corner):
    position = rin_corner(corner, BLACK)
    assert position.alive() == set(position.stones())
    assert len(position.alive()) == 8
    assert position.immune() == {"0,0", "0,1", "1,0", "2,0"}


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("order", list(itertools.permutations(["2,3", "3,2"])))
def test_rin_black_ring(corner, order):
    position = rin_corner(corner, BLACK)
    before = position.stones()
    play_all(position, *order)
    assert position.stones() == before | stones(black="2,2 2,3 3,2")
    assert position.to_move == WHITE


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("order", list(itertools.permutations(["0,2", "1,3"])))
def test_rin_white_ring_fills_with_the_second_stone(corner, order):
    position = rin_corner(corner, WHITE)
    before = position.stones()
    position.play(order[0])
    assert position.stones() == before | {order[0]: WHITE}
    position.play(order[1])
    assert position.stones() == before | stones(white="0,2 1,3 1,1 1,2 2,1")


def test_rin_ring_fills_after_the_first_of_two_stones():
    position = Rin.arranged(stones(black="1,2 2,1 2,3", white="2,2"), BLACK)
    position.play("3,2")
    assert position.stones()["2,2"] == BLACK
    assert position.to_move == BLACK


def test_rin_two_rings_close_at_once():
    position = Rin.arranged(stones(black="1,2 3,2 2,1 1,4 3,4 2,5", white="2,4"), BLACK)
    position.play("2,3")
    assert position.stones()["2,2"] == position.stones()["2,4"] == BLACK


def test_rin_pocket_on_the_edge_is_no_ring():
    position = play_all(Rin.arranged({}, BLACK), "0,1", "1,0")
    assert set(position.stones()) == {"0,1", "1,0"}


def test_rin_turns():
    position = make("rin")
    movers = []
    for action in ("0,0", "0,2", "0,4", "0,6", "0,8", "0,10"):
        movers.append(position.to_move)
        position.play(action)
    assert movers == [BLACK, WHITE, WHITE, BLACK, BLACK, WHITE]


@pytest.mark.parametrize(("last", "returns"), [(BLACK, [0, 0]), (WHITE, [-1, 1])])
def test_rin_ends_when_the_first_of_two_stones_fills_the_board(last, returns):
    columns = {f"{row},{column}": BLACK if column < 2 else WHITE for row in range(4) for column in range(4)}
    del columns["0,0"]
    position = Rin.arranged(columns, last, size=4)
    position.play("0,0")
    assert position.is_over
    assert position.returns() == returns


@pytest.mark.parametrize("seed", range(3))
def test_rin_immune_stones_are_never_lost(seed):
    position = Rin(size=8)
    immune: dict[str, int] = {}
    for before, _ in random_game(position, seed):
        assert immune.items() <= before.stones().items()
        assert before.immune() <= before.alive()
        immune = {point: before.stones()[point] for point in before.immune()}
    assert immune.items() <= position.stones().items()


@pytest.mark.parametrize("size", range(4, 19, 2))
def test_rin_safe_zone_size(size):
    assert len(safe_zone(size)) == 4 * size - 4
