"""What Ren advises a search to do must be sound whatever it is worth."""

import numpy as np
import pytest
from advice import advised_game, playout_action, priors, records

import kakomi
from kakomi.games.ren import policy
from kakomi.games.ren.rules import NINE_BOX
from kakomi.kernel import use_mode
from kakomi.search import Search

BLACK, WHITE = 0, 1
BOARDS = [{"size": 4}, {"size": 6, "rui_limit": 5}, {"size": 8, "lead": 6}]


@pytest.mark.parametrize("options", BOARDS)
def test_promises_are_shares_of_a_win_and_leave_the_position_as_it_is(options):
    for position in advised_game("ren", 2, 0.0, **options)[:-1]:
        before = position.states().tobytes()
        assert all(0 <= promise <= 1 for promise in priors(position).values())
        assert position.states().tobytes() == before


@pytest.mark.parametrize("options", BOARDS)
def test_worth_is_what_a_placement_scores_unless_it_captures(options):
    scored = 0
    for seed in range(4):
        for position in advised_game("ren", seed, 0.0, **options)[:-1]:
            mover = position.to_move
            for action in position.legal_actions()[:-1]:
                after = position.play_action(action)
                if after.state["nine_box"] or after.state["niban"] >= 0:
                    continue
                worth = policy._worth(*records(position)[:2], action, mover)
                assert worth == after.scores()[mover] - position.scores()[mover]
                scored += worth > 0
    assert scored


def test_a_score_and_the_way_of_one_promise_more_than_a_square_far_away_and_passing_least():
    """RULES N2: a fourth stone in a row for Black, or in Black's way."""
    row = {"b1": BLACK, "c1": BLACK, "d1": BLACK, "h8": WHITE}
    for to_move in (BLACK, WHITE):
        promised = priors(kakomi.game("ren", size=8).arranged(row, to_move))
        assert promised["a1"] == promised["e1"] > promised["h1"] == promised["g4"]
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
    """Black may still fill b1-c3, b2-c4 and a2-c3 through c2, each with both stones; White c1-e2 alone."""
    stones = {"c3": BLACK, "b2": BLACK, "d2": WHITE}
    position = kakomi.game("ren", size=8).arranged(stones, BLACK)
    board, state, _ = records(position)
    row, column = 1, 2
    assert policy._open_sixes(board, state, row, column, BLACK, 2) == 3
    assert policy._open_sixes(board, state, row, column, WHITE, 1) == 1


def test_a_lead_promises_a_share_of_the_win():
    base = kakomi.game("ren", size=8).start()
    ahead, behind = (base.states() for _ in range(2))
    ahead["points"], behind["points"] = (5, 0), (0, 5)
    promised = [priors(base)["a1"]]
    for states in (ahead, behind):
        board, _, scratch = records(base)
        out = np.zeros(1)
        scratch["actions"][0] = 0
        policy.prior(board, states.view(np.recarray)[0], scratch, 1, out)
        promised.append(out[0])
    level, leading, trailing = promised
    assert leading > level > trailing


def test_playouts_score_more_often_than_chance_would():
    """Of 61 actions two complete a row of four: one draw of 1,500 times finds them 49 times, two 98."""
    row = {"b1": BLACK, "c1": BLACK, "d1": BLACK, "h8": WHITE}
    position = kakomi.game("ren", size=8).arranged(row, BLACK)
    scoring = [0, 4]  # a1 and e1
    assert 70 < sum(playout_action(position, seed) in scoring for seed in range(1500)) < 130
