"""Rings' advice to a search is sound."""

import random

import pytest

import kakomi
from games.advice import advised_game, candidates, priors
from kakomi import Position
from kakomi.kernel import use_mode
from kakomi.search import Search

PLAYERS = [2, 3, 6]


def converting(positions: list[Position]) -> list[Position]:
    return [position for position in positions if position.state["converting"]]


@pytest.mark.parametrize("players", PLAYERS)
def test_candidates_are_legal(players):
    for position in advised_game("rings", 1, 0.0, size=2, players=players)[:-1]:
        assert set(candidates(position)) <= set(position.legal_actions())
        if players > 2 or not position.state["converting"]:
            assert candidates(position) == position.legal_actions()


def convert_all(position: Position, rng: random.Random) -> Position:
    """Play conversions in random order until the turn ends automatically."""
    mover = position.to_move
    while position.state["converting"] and position.to_move == mover and not position.is_over:
        position = position.play_action(rng.choice(position.legal_actions()[1:]))
    return position


def test_conversions_of_two_players_lead_to_the_same_in_any_order():
    seen = 0
    for seed in range(6):
        for position in converting(advised_game("rings", seed, 0.0, size=3)):
            ends = {tuple(convert_all(position, random.Random(k)).stones().items()) for k in range(5)}
            assert len(ends) == 1
            seen += len(position.legal_actions()) > 3
    assert seen


def best_difference(position: Position, replies, known: dict) -> int:
    """Black's circles less White's under best play among `replies`."""
    if position.is_over:
        black, white = position.scores()
        return int(black - white)
    key = position.states().tobytes()
    if key not in known:
        best = max if position.to_move == 0 else min
        actions = replies(position)
        known[key] = best(best_difference(position.play_action(action), replies, known) for action in actions)
    return known[key]


def test_nothing_is_lost_by_converting_all():
    """Late positions on side 2 have the same value with all actions and with the candidates only."""
    seen = 0
    for seed in range(6):
        positions = converting(advised_game("rings", seed, 0.0, size=2))
        late = [position for position in positions if position.state["empty_count"] <= 2]
        for position in late[:1]:
            value = best_difference(position, Position.legal_actions, {})
            assert value == best_difference(position, candidates, {})
            seen += 1
    assert seen


@pytest.mark.parametrize("players", PLAYERS)
def test_promises_are_shares_of_a_win(players):
    for position in advised_game("rings", 3, 0.0, size=3, players=players)[:-1]:
        assert all(0 <= promise <= 1 for promise in priors(position).values())


def test_contested_circles_promise_most():
    position = kakomi.game("rings", size=2).arranged({"D1": 0, "E1": 1})
    promised = priors(position)
    most = max(promised.values())
    assert {name for name, promise in promised.items() if promise == most} == {"C2", "F2", "D3", "E3"}
    assert promised["pass"] == min(promised.values())


@pytest.mark.parametrize("players", PLAYERS)
def test_compiled_and_interpreted_searches_agree(players):
    position = advised_game("rings", 4, 0.0, size=2, players=players)[12]
    compiled = Search(position.game, seed=3, memory_mb=8).run(position, simulations=40)
    with use_mode("interpreted"):
        interpreted = Search(position.game, seed=3, memory_mb=8).run(position, simulations=40)
    assert compiled.lines == interpreted.lines
