"""An opponent's threats, found by a search as if it were their turn."""

import random

import pytest

import kakomi
from kakomi.analysis.move import CLEAR, Threat, null_move
from kakomi.search import Line, Report


@pytest.mark.parametrize("name", kakomi.names())
def test_a_null_move_leaves_the_board_and_hands_on_the_turn(name):
    chance = random.Random(name)
    position = kakomi.game(name, **kakomi.game(name).description.quick).start()
    seen = 0
    for _ in range(80):
        if position.is_over:
            break
        skipped = null_move(position)
        if position.turn:
            assert skipped is None, "a turn that has begun can't be left out"
        elif skipped is not None:
            seen += 1
            assert skipped.stones() == position.stones() and skipped.legal()
            assert skipped.to_move == (position.to_move + 1) % position.game.players
            assert skipped.game.position(str(skipped)) == skipped, "engines are sent its text"
        position = position.play_action(chance.choice(position.legal_actions()))
    assert seen > 5


def test_where_stones_are_marked_for_the_player_they_pass():
    game = kakomi.game("ren", size=5)
    position, chance = game.start(), random.Random(1)
    while not (position.state["rui"] >= 0).any():
        position = position.play_action(chance.choice(position.legal_actions()[:-1]))
        if position.is_over:
            position = game.start()
    skipped = null_move(position)
    assert skipped == position.play("pass")


def threat(game, visits, *texts, wins=False):
    actions = tuple(map(game.action, texts))
    line = Line(actions[0], visits, (0.0, 0.0), wins=wins, principal=actions)
    skipped = null_move(game.position("b3/4/4/4 w left_in_turn=2"))
    assert skipped is not None
    return Threat.of(skipped, Report(0, 1000, 0.1, (0.0, 0.0), (line,)))


def test_only_what_stands_out_is_a_threat():
    game = kakomi.game("rin", size=4)
    found = threat(game, int(1000 * CLEAR), "1,1", "2,2", "3,3")
    assert (found.player, found.actions, found.share) == (0, ("1,1", "2,2"), CLEAR)
    assert found.effect.changes == {"1,1": 0, "2,2": 0}
    assert threat(game, int(1000 * CLEAR) - 1, "1,1", "2,2") is None
    assert threat(game, 1, "1,1", "2,2", wins=True).wins


def test_a_pass_is_no_threat():
    game = kakomi.game("ren", size=4)
    line = Line(game.action("pass"), 1000, (0.0, 0.0), principal=(game.action("pass"),))
    assert Threat.of(null_move(game.start()), Report(1, 1000, 0.1, (0.0, 0.0), (line,))) is None
