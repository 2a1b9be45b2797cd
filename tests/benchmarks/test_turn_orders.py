"""Rings in other orders of turns: the order is kept, and all else is Rings."""

from itertools import pairwise

import pytest
from benchmarks.turn_orders.orders import ORDERS, clockwise, passes_to_end, thue_morse, turns
from benchmarks.turn_orders.playing import game_in_order

import kakomi
from kakomi.core import Position
from kakomi.kernel import below, random_state


def _line(position: Position, seed: int) -> list[Position]:
    """A game at random."""
    rng, line = random_state(seed), [position]
    while not line[-1].is_over:
        legal = line[-1].legal_actions()
        line.append(line[-1].play_action(legal[below(rng, len(legal))]))
    return line


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_everybody_has_one_turn_a_round(players: int) -> None:
    for order in ORDERS.values():
        rounds = [order(number, players) for number in range(20)]
        assert all(sorted(one) == list(range(players)) for one in rounds)
        passing = turns(order, players, 200)
        span = passes_to_end(order, players)
        for begin in range(100):
            assert set(passing[begin : begin + span]) == set(range(players))


def test_thue_and_morse() -> None:
    assert turns(thue_morse, 2, 8) == [0, 1, 1, 0, 1, 0, 0, 1]
    assert turns(thue_morse, 3, 12) == [0, 1, 2, 1, 2, 0, 2, 0, 1, 1, 2, 0]


@pytest.mark.parametrize("players", [2, 3])
def test_clockwise_is_rings_itself(players: int) -> None:
    usual = kakomi.game("rings", size=2, players=players).start()
    for seed in range(5):
        line = _line(usual, seed)
        position = game_in_order(2, players, list(ORDERS.values()).index(clockwise)).start()
        for after in line[1:]:
            assert position.legal_actions() == line[after.ply - 1].legal_actions()
            position = position.play_action(after.played()[-1])
            assert (position.to_move, position.is_over) == (after.to_move, after.is_over)
            assert position.stones() == after.stones() and position.scores() == after.scores()
        assert position.returns() == line[-1].returns()


def test_players_act_in_the_order() -> None:
    for number, order in enumerate(ORDERS.values()):
        line = _line(game_in_order(2, 3, number).start(), seed=number)
        wanted = turns(order, 3, len(line))
        taken = 0
        for before, after in pairwise(line):
            assert before.to_move == wanted[taken]
            taken += not after.state["converting"]
        assert line[-1].is_over and line[-1].state["passes"] >= passes_to_end(order, 3)
