"""Interpreted, compiled and bounds-checked rules give the same games and searches."""

import numpy as np
import pytest

from conformance.cases import (
    QUICK,
    Case,
    actions_of,
    compiled_cases,
    economical,
    observed,
    quick_cases,
    random_game,
)
from kakomi.kernel import Mode, random_state, use_mode
from kakomi.search import Search
from kakomi.search.playout import playouts
from sampling import is_compiled

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


@compiled_cases
def test_playouts_are_the_same_in_every_mode(case: Case) -> None:
    results = []
    for mode in (Mode.COMPILED, Mode.CHECKED, Mode.INTERPRETED):
        with use_mode(mode):
            results.append([played_out(case, seed) for seed in (1, 2)])
    assert results[0] == results[1] == results[2]
    assert results[0][0] != results[0][1]


@quick_cases
def test_playouts_end(case: Case) -> None:
    with economical(case):
        plies, sums, _ = played_out(case, 5)
    assert plies > 0
    assert any(sums)


MODES = [(case, Mode.INTERPRETED) for case in QUICK] + [
    (case, Mode.CHECKED) for case in QUICK if is_compiled(case.name)
]
in_other_modes = pytest.mark.parametrize(
    ("case", "mode"), MODES, ids=[f"{case} {mode.value}" for case, mode in MODES]
)


@in_other_modes
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


@in_other_modes
def test_searches_are_the_same_in_every_mode(case: Case, mode: Mode) -> None:
    positions = random_game(case)
    position = positions[len(positions) * 3 // 4]
    results = []
    for each in (Mode.COMPILED, mode):
        with use_mode(each):
            report = Search(case.game, seed=4, memory_mb=4).run(position, simulations=SIMULATIONS)
            results.append((report.lines, report.returns, report.plies, report.principal))
    assert results[0] == results[1]
    assert report.is_proven or sum(line.visits for line in report.lines) >= SIMULATIONS - 1
