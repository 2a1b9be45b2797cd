"""Rin against the examples of RULES R1-R7 and against its slow reference."""

import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kakomi
from games.comparing import compare_from, compare_games, other_modes
from games.uniformity import assert_samples_uniformly
from kakomi import IllegalAction, Position
from kakomi.kernel import use_mode
from reference.rin import Rin as Reference

BLACK, WHITE = 0, 1
FIGURE = {
    **dict.fromkeys(("0,1", "1,0", "2,0", "2,2", "3,1"), WHITE),
    **dict.fromkeys(("1,2", "2,1"), BLACK),
}


def figure(corner: int, to_move: int) -> Position:
    """Figure 2 of the author's document, with a stone of a given colour in the corner."""
    return kakomi.game("rin").arranged({**FIGURE, "0,0": corner}, to_move, left_in_turn=2)


def marked(position: Position, overlay: str) -> set[str]:
    return {mark.at for o in position.overlays() if o.name == overlay for mark in o.marks}


# Examples


@pytest.mark.parametrize("corner", [BLACK, WHITE])
def test_alive_and_immune(corner):
    position = figure(corner, BLACK)
    assert marked(position, "alive") == set(position.stones())
    assert marked(position, "immune") == {"0,0", "0,1", "1,0", "2,0"}


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("stones", [("2,3", "3,2"), ("3,2", "2,3")])
def test_black_ring_of_figure_3(corner, stones):
    before = figure(corner, BLACK)
    half = before.play(stones[0])
    assert half.stones() == {**before.stones(), stones[0]: BLACK}
    after = half.play(stones[1])
    assert after.stones() == {**half.stones(), stones[1]: BLACK, "2,2": BLACK}
    assert after.to_move == WHITE


@pytest.mark.parametrize("corner", [BLACK, WHITE])
@pytest.mark.parametrize("stones", [("0,2", "1,3"), ("1,3", "0,2")])
def test_white_ring_of_figure_4(corner, stones):
    before = figure(corner, WHITE)
    half = before.play(stones[0])
    assert half.stones() == {**before.stones(), stones[0]: WHITE}
    after = half.play(stones[1])
    taken = dict.fromkeys(("1,1", "1,2", "2,1"), WHITE)
    assert after.stones() == {**half.stones(), stones[1]: WHITE, **taken}
    assert after.stones()["0,0"] == corner


def test_the_first_turn_is_one_stone_and_the_others_two():
    position = kakomi.game("rin", size=4).start()
    movers = []
    for name in ("0,0", "0,1", "0,2", "0,3", "1,0", "1,3", "2,0"):
        movers.append(position.to_move)
        position = position.play(name)
    assert movers == [BLACK, WHITE, WHITE, BLACK, BLACK, WHITE, WHITE]


def test_several_rings_close_at_once():
    stones = dict.fromkeys(("1,2", "2,1", "3,2", "1,4", "2,5", "3,4"), BLACK) | {"2,2": WHITE}
    after = kakomi.game("rin", size=8).arranged(stones, BLACK, left_in_turn=2).play("2,3")
    assert after.stones() == dict.fromkeys([*stones, "2,3", "2,4"], BLACK)
    assert after.to_move == BLACK


def test_a_pocket_on_the_edge_is_no_inside():
    stones = dict.fromkeys(("0,1", "1,1"), BLACK)
    after = kakomi.game("rin", size=4).arranged(stones, BLACK, left_in_turn=2).play("2,0")
    assert "0,0" not in after.stones()
    assert "1,0" not in after.stones()


def test_the_game_ends_in_mid_turn_when_the_board_is_full():
    position = kakomi.game("rin", size=4).start()
    while not position.is_over:
        position = position.play_action(position.legal_actions()[0])
    assert position.state["left_in_turn"] == 1
    assert position.legal() == []
    assert sum(position.scores()) == 16


@pytest.mark.parametrize("size", [2, 3, 5, 20])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ValueError, match=f"size {size} isn't possible in rin: choose 4 to 18, even"):
        kakomi.game("rin", size=size)


def test_why_illegal_names_the_rule():
    with pytest.raises(IllegalAction, match=r"already a stone on that point.*RULES R4"):
        kakomi.game("rin").start().play("3,6").play("(3, 6)")


def test_pickled_positions_go_on_alike():
    position = figure(BLACK, WHITE).play("0,2")
    copy = pickle.loads(pickle.dumps(position))
    assert copy == position
    assert copy.play("1,3") == position.play("1,3")


# Properties


@given(choices=st.randoms(use_true_random=False), size=st.sampled_from([4, 6, 8]))
@settings(max_examples=25, deadline=None)
def test_properties_of_every_stone(choices, size):
    position = kakomi.game("rin", size=size).start()
    rim = {name for name in position.game.geometry.names if set(name.split(",")) & {"0", str(size - 1)}}
    while not position.is_over:
        before, action = position, choices.choice(position.legal())
        position = before.play(action)
        old, new = before.stones(), position.stones()
        assert new[action] == before.to_move
        changed = {point for point in new if old.get(point) != new[point]} - {action}
        assert all(new[point] == before.to_move for point in changed)
        assert not changed & rim
        assert not changed & marked(before, "immune")
        assert marked(position, "alive") == set(new)
    assert sum(position.scores()) == size * size


def test_sampling_is_uniform():
    assert_samples_uniformly(figure(BLACK, WHITE))


# Against the slow reference


def ringing(position: Position, reference: Reference, rng: random.Random) -> str:
    """Often choose a placement that closes a ring, if there is one."""
    del reference
    legal = position.legal()
    if rng.random() < 0.5:
        closing = [text for text in legal if closes_ring(position, text)]
        if closing:
            return rng.choice(closing)
    return rng.choice(legal)


def closes_ring(position: Position, action: str) -> bool:
    mover = position.to_move
    return position.play(action).scores()[mover] > position.scores()[mover] + 1


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_random_games_agree_with_the_reference(size):
    compare_games("rin", {"size": size}, range(6))


@pytest.mark.parametrize("size", [12, 14, 16, 18])
def test_large_boards_agree_with_the_reference(size):
    compare_games("rin", {"size": size}, range(1))


@pytest.mark.parametrize("size", [6, 8])
def test_games_of_many_rings_agree_with_the_reference(size):
    compare_games("rin", {"size": size}, range(6), ringing)


@pytest.mark.parametrize("mode", other_modes("rin"))
@pytest.mark.parametrize("size", [4, 6, 8])
def test_other_modes_agree_with_the_reference(mode, size):
    with use_mode(mode):
        compare_games("rin", {"size": size}, range(1), ringing)


@pytest.mark.parametrize("mode", other_modes("rin"))
def test_other_modes_agree_on_the_largest_board(mode):
    with use_mode(mode):
        compare_games("rin", {"size": 18}, range(1), most_plies=60)


@pytest.mark.parametrize("seed", range(4))
def test_alive_and_immune_agree_with_the_reference(seed):
    rng = random.Random(seed)
    position, reference = kakomi.game("rin", size=8).start(), Reference(size=8)
    while not position.is_over:
        action = ringing(position, reference, rng)
        position = position.play(action)
        reference.play(action)
        assert marked(position, "alive") == reference.alive()
        assert marked(position, "immune") == reference.immune()


@pytest.mark.parametrize("seed", range(30))
def test_crowded_arrangements_agree_with_the_reference(seed):
    """Arranged stones may already enclose regions: the next stone of that colour fills them."""
    rng = random.Random(seed)
    game = kakomi.game("rin", size=6)
    stones = {name: rng.randrange(2) for name in game.geometry.names if rng.random() < 0.6}
    to_move = rng.randrange(2)
    position = game.arranged(stones, to_move, left_in_turn=2)
    compare_from(position, Reference.arranged(stones, to_move, size=6), rng)
