"""What games cost, before they are played: a model of work that is the same on every machine.

A budget is a time, and equal seeds shall give equal reports. So nothing is timed: a game of weak bots tells
how many actions a game has and how many a simulation plays, and constants turn both into seconds. The
constants are upper bounds for the boards that `python -m benchmarks.report_cost` measures.
"""

from dataclasses import dataclass

from kakomi.core import Game
from kakomi.core.seeds import derived_seed
from kakomi.search import Search
from kakomi.search.playout import Playouts

SIMULATION_SECONDS = 6e-6
"""Of a simulation, whatever its length."""
STEP_SECONDS = 0.25e-6
"""Of an action that a simulation plays, in the tree or in its playout."""
ACTION_SECONDS = 0.5e-3
"""Of an action that a bot plays, beside its simulations, and of looking at it in the end."""
RANDOM_ACTION_SECONDS = 0.12e-3
"""Of an action of a random game, looked at in the end."""
OPENING_PLAYOUTS = 26
"""Random games by which an opening is tried."""
OPENING_ACTION_SECONDS = 0.03e-3
PILOT_SIMULATIONS = 20
RANDOM_GAMES = 20


@dataclass(frozen=True)
class CostModel:
    """What one game tells of all others of a game and its options."""

    actions: float
    """Of a game between weak bots."""
    steps: float
    """Actions that a simulation plays."""
    random_actions: float
    """Of a random game."""

    def simulation(self) -> float:
        """Core-seconds of a simulation."""
        return SIMULATION_SECONDS + STEP_SECONDS * self.steps

    def searched_game(self, simulations: float) -> float:
        """Core-seconds of a game whose bots search so many simulations an action."""
        return self.actions * (simulations * self.simulation() + ACTION_SECONDS)

    def opening(self) -> float:
        """Core-seconds of drawing a random opening."""
        return OPENING_PLAYOUTS * self.random_actions * OPENING_ACTION_SECONDS

    def random_game(self) -> float:
        """Core-seconds of a random game."""
        return self.random_actions * RANDOM_ACTION_SECONDS


def cost_model(game: Game, seed: int = 1) -> CostModel:
    """The model of a game and its options; it depends on nothing but these and the seed."""
    actions, steps = _pilot(game, derived_seed(seed, "pilot"))
    playouts = Playouts(game, derived_seed(seed, "pilot"))
    return CostModel(actions, steps, playouts.run(RANDOM_GAMES) / RANDOM_GAMES)


def _pilot(game: Game, seed: int) -> tuple[int, float]:
    """The actions of a game of weak searches, and the actions that each of their simulations played."""
    searches = [Search(game, seed=seed + player, memory_mb=32) for player in range(game.players)]
    position, simulations, steps = game.start(), 0, 0
    while not position.is_over and (game.cut_off is None or position.ply < game.cut_off):
        legal = position.legal_actions()
        if len(legal) == 1:
            position = position.play_action(legal[0])
            continue
        report = searches[position.to_move].run(position, simulations=PILOT_SIMULATIONS)
        simulations, steps = simulations + report.simulations, steps + report.plies
        position = position.play_action(report.action)
    return position.ply, steps / max(1, simulations)
