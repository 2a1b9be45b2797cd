"""The same figures for OpenSpiel: its C++ MCTSBot with random rollouts, and random play from Python."""

import random
import time

import pyspiel

UCT_C = 2.0
MEMORY_MB = 2000


class Peer:
    """One OpenSpiel game, such as `go(board_size=9)`."""

    def __init__(self, name: str, seed: int = 1) -> None:
        self.name = name
        self.game = pyspiel.load_game(name)
        self._random = random.Random(seed)
        self._seed = seed
        self.mean_plies = self._mean_plies(200)
        self._simulations = 100

    def search(self, seconds: float) -> tuple[float, float]:
        """Search once from the start for about `seconds`; return simulations and plies per second.

        A simulation counts as many plies as the mean random game, which it resembles.
        """
        while True:
            simulations = self._simulations
            self._seed += 1
            evaluator = pyspiel.RandomRolloutEvaluator(1, self._seed)
            bot = pyspiel.MCTSBot(
                self.game, evaluator, UCT_C, simulations, MEMORY_MB, False, self._seed, False
            )
            state = self.game.new_initial_state()
            started = time.perf_counter()
            bot.mcts_search(state)
            elapsed = time.perf_counter() - started
            if elapsed >= 0.7 * seconds:
                return simulations / elapsed, simulations * self.mean_plies / elapsed
            self._simulations = min(4 * simulations, int(simulations * seconds / elapsed) + 1)

    def python_plies_per_second(self, seconds: float) -> float:
        """Measure random play with `legal_actions` and `apply_action`."""
        plies = 0
        started = time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            plies += self._random_game()
        return plies / elapsed

    def _mean_plies(self, games: int) -> float:
        return sum(self._random_game() for _ in range(games)) / games

    def _random_game(self) -> int:
        choose = self._random.random
        state = self.game.new_initial_state()
        plies = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(choose() * len(actions))])
            plies += 1
        return plies
