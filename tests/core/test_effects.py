"""The effects of actions, tested by examples and against the resulting positions."""

import random

import pytest

import kakomi
from kakomi.core.effects import Effect, effect_of_turn, effects_of


def effect(game, action, black="", white="", to_move=0, **options) -> Effect:
    stones = dict.fromkeys(black.split(), 0) | dict.fromkeys(white.split(), 1)
    return effects_of(kakomi.game(game, **options).arranged(stones, to_move))[action]


@pytest.mark.parametrize("name", kakomi.names())
def test_effects_are_what_positions_show(name):
    chance = random.Random(name)
    position = kakomi.game(name, **kakomi.game(name).description.quick).start()
    for _ in range(60):
        if position.is_over:
            break
        found, before = effects_of(position), position.stones()
        assert list(found) == position.legal()
        for text, one in found.items():
            position_then = position.play(text)
            after = position_then.stones()
            points = {point for point in before | after if before.get(point) != after.get(point)}
            assert one.changes == {point: after.get(point) for point in points}
            assert one.is_last == position_then.is_over
            assert one.turned == sum(point in before and point in after for point in points)
            assert one.removed == len(before.keys() - after.keys())
        position = position.play_action(chance.choice(position.legal_actions()))


def test_a_ring_turns_stones_and_fills_points():
    ring = effect("rin", "2,1", "0,1 0,2 1,0 2,2 1,3", "1,1", size=8)
    assert ring.changes == {"2,1": 0, "1,1": 0, "1,2": 0}
    assert (ring.turned, ring.appearing, ring.removed) == (1, 1, 0)
    assert ring.gains == (3, -1) and not ring.is_plain


def test_most_stones_are_plain():
    found = effects_of(kakomi.game("rin", size=8).arranged({"3,3": 0}, 1))
    assert all(one.is_plain and one.gains == (0, 0) for one in found.values())


def test_a_capture_says_what_comes_next():
    joined = effect("rive", "b1", "b3 c3 c5 d1", "a1 c1 d3", size=3)
    assert joined.expected.startswith("remove 1 stone") and not joined.is_plain
    removed = kakomi.game("rive", size=3)
    stones = dict.fromkeys(["b3", "c3", "c5", "d1"], 0) | dict.fromkeys(["a1", "c1", "d3"], 1)
    assert effects_of(removed.arranged(stones).play("b1"))["xa1"].changes == {"a1": None}


def test_a_conversion_turns_the_stones_of_its_circle():
    rings = kakomi.game("rings", size=6)
    black = "L1 M1 K2 N2 L3 M3 K4"
    stones = dict.fromkeys(black.split(), 0) | dict.fromkeys(["N4", "L5", "M5"], 1)
    converted = effects_of(rings.arranged(stones).play("pass"))["xLM4"]
    assert converted.changes == dict.fromkeys(("N4", "L5", "M5"), 0) and converted.turned == 3


def test_the_end_has_no_effects():
    over = kakomi.game("ren", size=4).start().play("pass").play("pass")
    assert effects_of(over) == {}


def test_the_effect_of_a_turn_is_that_of_its_actions_together():
    game = kakomi.game("rin", size=8)
    position = game.arranged(
        dict.fromkeys(["0,1", "0,2", "1,0", "2,2", "1,3"], 0) | {"1,1": 1}, left_in_turn=2
    )
    whole = effect_of_turn(position, [game.action("7,7"), game.action("2,1")])
    assert whole.changes == {"7,7": 0, "2,1": 0, "1,1": 0, "1,2": 0}
    assert (whole.turned, whole.appearing, whole.removed, whole.is_last) == (1, 1, 0, False)
    assert whole.gains == (3, -1)
