"""Ren's advice to a search is sound."""

import random

import numpy as np
import pytest

import kakomi
from games.advice import advised_game, priors, records
from kakomi.games.ren import policy
from kakomi.games.ren.rules import NINE_BOX
from kakomi.kernel import use_mode
from kakomi.search import Search
from sampling import ALL

BLACK, WHITE = 0, 1
BOARDS = [{"size": 4}, {"size": 6, "rui_limit": 5}, {"size": 8, "lead": 6}]


@pytest.mark.parametrize("options", BOARDS)
def test_promises_are_shares_of_a_win_and_leave_the_position_as_it_is(options):
    for position in advised_game("ren", 2, 0.0, **options)[:-1]:
        before = position.states().tobytes()
        assert all(0 <= promise <= 1 for promise in priors(position).values())
        assert position.states().tobytes() == before


@pytest.mark.parametrize("options", BOARDS)
def test_points_are_what_a_placement_scores_unless_it_captures(options):
    scored = captured = 0
    chance = random.Random(1)
    for seed in range(4):
        for position in advised_game("ren", seed, 0.0, **options)[:-1]:
            mover, placements = position.to_move, position.legal_actions()[:-1]
            for action in placements if ALL else chance.sample(placements, min(4, len(placements))):
                after = position.play_action(action)
                gone = position.stones().keys() - after.stones().keys()
                taken = bool(gone) or after.state["niban"] >= 0
                assert feature(position, action, policy.CAPTURES) == taken
                captured += taken
                if taken or after.state["nine_box"]:
                    continue
                points = feature(position, action, policy.POINTS)
                assert points == after.scores()[mover] - position.scores()[mover]
                scored += points > 0
    assert scored and captured


def test_a_score_and_the_way_of_one_promise_more_than_a_square_far_away_and_passing_least():
    """RULES N2: a fourth stone in a row for Black, or one that blocks it."""
    row = {"c3": BLACK, "d3": BLACK, "e3": BLACK, "h8": WHITE}
    for to_move in (BLACK, WHITE):
        promised = priors(kakomi.game("ren", size=8).arranged(row, to_move))
        assert min(promised["b3"], promised["f3"]) > promised["g6"] > promised["h1"]
        assert promised["pass"] == min(promised.values()) < promised["h1"]


def test_a_nine_box_promises_nearly_the_win():
    eight = [f"{column}{row}" for column in "abc" for row in "123"][:-1]
    position = kakomi.game("ren", size=8).arranged(dict.fromkeys(eight, BLACK), BLACK)
    assert NINE_BOX < 0 < 0.9 < priors(position)["c3"] < 1


@pytest.mark.parametrize("options", BOARDS)
def test_compiled_and_interpreted_searches_agree(options):
    position = advised_game("ren", 4, 0.0, **options)[8]
    compiled = Search(position.game, seed=3, memory_mb=8).run(position, simulations=40)
    with use_mode("interpreted"):
        interpreted = Search(position.game, seed=3, memory_mb=8).run(position, simulations=40)
    assert compiled.lines == interpreted.lines


def test_boxes_that_an_enemy_stone_stands_in_promise_nothing():
    """Through c2, Black may still fill b1-c3, b2-c4 and a2-c3, each with both stones; White only c1-e2."""
    stones = {"c3": BLACK, "b2": BLACK, "d2": WHITE}
    game = kakomi.game("ren", size=8)
    c2 = game.action("c2")
    black, white = (game.arranged(stones, player) for player in (BLACK, WHITE))
    assert feature(black, c2, policy.OWN_SIX + 2) == feature(white, c2, policy.ENEMY_SIX + 2) == 3
    assert feature(black, c2, policy.ENEMY_SIX + 1) == feature(white, c2, policy.OWN_SIX + 1) == 1


def feature(position, action, which):
    """One feature of an action, isolated by giving weight to it alone."""
    weights = np.zeros(policy.FEATURES)
    weights[which] = 1
    board, state, _ = records(position)
    return policy.log_share(board, state, action, weights)
