"""Interpreted, compiled and with bounds checks: the same games, the same searches."""

import numpy as np
import pytest

from conformance.cases import Case, actions_of, observed, quick_cases, random_game
from kakomi.kernel import Mode, random_state, use_mode
from kakomi.search import Search
from kakomi.search.playout import playouts

SIMULATIONS = 24


def played_out(case: Case, seed: int) -> tuple[int, list[float], int]:
    game = case.game
    rules = game.description.rules
    limit = game.description.max_game_length
    rng, sums = random_state(seed), np.zeros(game.players)
    states, scratches = np.zeros(1, rules.STATE), np.zeros(1, rules.SCRATCH)
    most_plies = limit(game.geometry, game.options) if limit else 0
    plies = playouts(game.board, states, scratches, rng, sums, 3, most_plies)
    return int(plies), sums.tolist(), int(rng[0])


@quick_cases
def test_playouts_are_the_same_in_every_mode(case: Case) -> None:
    results = []
    for mode in Mode:
        with use_mode(mode):
            results.append([played_out(case, seed) for seed in (1, 2)])
    assert results[0] == results[1] == results[2]
    assert results[0][0] != results[0][1]


@quick_cases
def test_playouts_end(case: Case) -> None:
    plies, sums, _ = played_out(case, 5)
    assert plies > 0
    assert any(sums)


@quick_cases
@pytest.mark.parametrize("mode", [Mode.CHECKED, Mode.INTERPRETED])
def test_positions_are_the_same_in_every_mode(case: Case, mode: Mode) -> None:
    compiled = random_game(case)
    actions = actions_of(compiled)
    expected = [observed(position) for position in compiled]
    with use_mode(mode):
        position = case.game.start()
        found = [observed(position)]
        for action in actions:
            position = position.play_action(action)
            found.append(observed(position))
    assert found == expected


@quick_cases
def test_searches_are_the_same_in_every_mode(case: Case) -> None:
    positions = random_game(case)
    position = positions[len(positions) * 3 // 4]
    results = []
    for mode in Mode:
        with use_mode(mode):
            report = Search(case.game, seed=4, memory_mb=4).run(position, simulations=SIMULATIONS)
            results.append((report.lines, report.returns, report.plies, report.principal))
    assert results[0] == results[1] == results[2]
    assert report.is_proven or sum(line.visits for line in report.lines) >= SIMULATIONS - 1
