"""Rin's advice to a search: rings first, then the neighbourhood of stones."""

import random

import pytest

import kakomi
from games.advice import priors
from kakomi import Position
from kakomi.games.rin import policy

BLACK, WHITE = 0, 1
FIGURE = {
    **dict.fromkeys(("0,1", "1,0", "2,0", "2,2", "3,1"), WHITE),
    **dict.fromkeys(("1,2", "2,1"), BLACK),
}


def figure(to_move: int) -> Position:
    """Figure 2 of the author's document, without the stone in the corner."""
    return kakomi.game("rin").arranged(FIGURE, to_move, left_in_turn=2)


def test_to_close_a_ring_promises_most():
    promised = priors(figure(BLACK).play("2,3"))
    assert promised["3,2"] == policy.CLOSES == max(promised.values())
    assert priors(figure(WHITE).play("0,2"))["1,3"] == policy.CLOSES


def test_to_keep_the_enemy_from_a_ring_promises_much():
    promised = priors(figure(BLACK).play("2,3").play("15,15"))
    assert promised["3,2"] == policy.PREVENTS


def test_points_beside_stones_promise_more_than_others():
    promised = priors(figure(BLACK))
    assert promised["1,1"] > promised["0,0"] > promised["9,9"]


@pytest.mark.parametrize("size", [4, 8])
def test_a_promised_ring_closes_and_no_other_does(size):
    """Groups split by a capture may still count as one: promised rings may then fail, but none is missed."""
    rng = random.Random(size)
    position, kept, promised = kakomi.game("rin", size=size).start(), 0, 0
    while not position.is_over:
        for action, promise in priors(position).items():
            assert 0 <= promise <= 1
            closes = filled(position, action) > 0
            assert promise == policy.CLOSES or not closes
            promised += promise == policy.CLOSES
            kept += closes
        position = position.play_action(rng.choice(position.legal_actions()))
    assert 0.5 * promised <= kept <= promised


def filled(position: Position, action: str) -> float:
    """The number of points that a placement gains beyond its own."""
    mover = position.to_move
    return position.play(action).scores()[mover] - position.scores()[mover] - 1
