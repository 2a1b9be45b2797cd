"""The bot that mirrors its opponent."""

import pytest

import kakomi
from kakomi.bots import make_bot
from kakomi.bots.mirror import mirror_of

RIN = kakomi.game("rin", size=4)


def test_it_answers_by_half_a_turn() -> None:
    bot = make_bot("mirror:1", seed=1)
    position = RIN.start().play("0,0")
    position = position.play_action(bot.choose(position))
    assert position.stones()["3,3"] == 1


def test_it_copies_a_turn_of_several_actions() -> None:
    game = kakomi.game("rings", size=2)
    symmetry, bot = mirror_of(game), make_bot("mirror:1", seed=1)
    position = game.start()
    while not position.is_over and len(position.previous_turn) < 2:
        if position.to_move:
            wanted = [symmetry.actions[action] for action in position.previous_turn]
            action = bot.choose(position)
            assert action == wanted[0] or wanted[0] not in position.legal_actions()
        else:
            action = make_bot("1", seed=position.ply).choose(position)
        position = position.play_action(action)


def test_what_it_cannot_copy_its_level_plays() -> None:
    bot = make_bot("mirror:2", seed=3)
    assert bot.choose(RIN.start()) == make_bot("2", seed=3).choose(RIN.start())
    assert bot.last_report is not None
    taken = RIN.start().play("0,0").play("3,3").play("0,3")  # 3,3 has no free image
    action = bot.choose(taken)
    assert RIN.action_texts[action] != "3,0" and action in taken.legal_actions()


def test_the_mirror_undoes_itself_and_moves_most_points() -> None:
    for game in (RIN, kakomi.game("rive", size=3), kakomi.game("lin", size=5)):
        points = mirror_of(game).points
        assert all(points[to] == at for at, to in enumerate(points))
        assert sum(to == at for at, to in enumerate(points)) <= game.geometry.points % 2


@pytest.mark.parametrize("name", ["mirror:", "mirror:21", "mirror:x", "mirror"])
def test_there_is_no_mirror_of_what_is_no_level(name: str) -> None:
    with pytest.raises(ValueError, match="there is no bot"):
        make_bot(name)
