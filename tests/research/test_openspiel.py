"""OpenSpiel's own tests and algorithms on all five games."""

import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax
from open_spiel.python.bots.uniform_random import UniformRandomBot

import kakomi
import kakomi.research
from kakomi.solve import Solver
from research import playthroughs
from research.games import all_games
from sampling import sample


def loaded(name: str, **parameters: int) -> Any:
    return pyspiel.load_game(f"kakomi_{name}", parameters)


def played(state: Any, actions: int, seed: int = 1) -> Any:
    """A state after random actions, fewer if the game ends before."""
    chance = np.random.default_rng(seed)
    while actions and not state.is_terminal():
        state.apply_action(int(chance.choice(state.legal_actions())))
        actions -= 1
    return state


def findings(case: type[unittest.TestCase], tests: list[str], **members: Any) -> list[str]:
    """The failures of some tests of an OpenSpiel test case for a game."""
    suite = unittest.TestSuite(map(type("OfOurs", (case,), members), tests))
    result = suite.run(unittest.TestResult())
    assert result.testsRun == len(tests) > 0
    return [report for _, report in result.failures + result.errors]


def names_of_tests(case: type[unittest.TestCase]) -> list[str]:
    return unittest.defaultTestLoader.getTestCaseNames(case)  # type: ignore[return-value]


@all_games
def test_its_simulations(name: str, options: dict[str, int], capfd: pytest.CaptureFixture) -> None:
    pyspiel.random_sim_test(loaded(name, **options), num_sims=1, serialize=True, verbose=False)


@all_games
def test_its_interface(name: str, options: dict[str, int], capfd: pytest.CaptureFixture) -> None:
    case = api_test.EnforceAPIOnPartialTreeBase
    assert findings(case, names_of_tests(case), game=loaded(name, **options), game_name=name) == []


NEED_TENSORS_OF_HISTORIES = {
    "test_current_player_infosets_no_overlap_between_players",
    "test_game_is_perfect_recall",
}


@pytest.mark.parametrize("name", sample(["lin", "ren", "rin", "rings", "rive"], 2))
def test_its_interface_on_a_whole_tree(
    name: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    game = loaded(name, **kakomi.catalog.describe(name).quick, max_game_length=1)
    ends = len(game.game.start().legal_actions())
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, name, (0, 1, ends))
    case = api_test.EnforceAPIOnFullTreeBase
    tests = sorted(set(names_of_tests(case)) - NEED_TENSORS_OF_HISTORIES)
    assert findings(case, tests, game=game, game_name=name) == []


@pytest.mark.parametrize("game", playthroughs.LOADED)
def test_a_playthrough_goes_as_it_went(game: str) -> None:
    kept = playthroughs.path_of(game).read_text(encoding="utf-8")
    assert playthroughs.replayed(game) == kept, "python -m tests.research.playthroughs writes them anew"


def outcome(game: Any, seed: int) -> float:
    """The result of OpenSpiel's search against random actions; its seat alternates with the seed."""
    chance, seat = np.random.RandomState(seed), seed % 2
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bots = [UniformRandomBot(player, chance) for player in range(2)]
    bots[seat] = mcts.MCTSBot(game, 1.4, 60, evaluator, random_state=chance)
    return float(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, chance)[seat])


def test_its_search_beats_random_actions() -> None:
    game = loaded("ren", size=4)
    assert sum(outcome(game, seed) for seed in range(6)) >= 4


def sign_of_value(position: kakomi.Position) -> int:
    """The sign of the acting player's value under best play between two, by our solver."""
    solver = Solver(position, position.to_move, memory_mb=16)
    assert solver.run()
    return int(np.sign(solver.value))


def test_its_search_in_c_finds_the_win() -> None:
    state = loaded("rive", size=2).new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, 1.4, 300, 10, True, 1, False)
    best = bot.mcts_search(state).best_child().action
    values = {action: -sign_of_value(state.child(action).position) for action in state.legal_actions()}
    assert values[best] == 1 and -1 in values.values()


@pytest.mark.parametrize(
    ("name", "options"),
    [("lin", {"size": 5, "line": 3}), ("rin", {"size": 4}), ("rive", {"size": 3}), ("rings", {"size": 2})],
)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_its_minimax_agrees_with_our_solver(name: str, options: dict[str, int], seed: int) -> None:
    game = loaded(name, **options)
    whole = played(game.new_initial_state(), game.max_game_length(), seed)
    state = played(game.new_initial_state(), whole.move_number() - 4, seed)
    value, _ = minimax.alpha_beta_search(game, state, maximum_depth=1000)
    assert value == sign_of_value(state.position)
