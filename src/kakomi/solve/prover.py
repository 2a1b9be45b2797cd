"""Proofs of the results that a seat can force in positions of one game, within a budget."""

from collections.abc import Callable

from kakomi.core import Game, Position
from kakomi.core.validation import check_requirements
from kakomi.solve.solver import Progress, Solver

MEMORY_MB = 64
WIN = 1
"""The minimum margin of a win."""
DRAW = 0
"""The minimum margin of a draw."""


class BudgetSpentError(Exception):
    """The budget ran out before the proof was complete, or the caller stopped it."""


def check_provable(game: Game) -> None:
    """Raise ValueError if results of the game can't be proved: it can't be solved, or has more than two
    players, where results depend on whom the others help."""
    if game.players != 2:
        raise ValueError(f"results are proved between two players, and this game has {game.players}")
    check_requirements(game)


def margin(position: Position, seat: int) -> int:
    """Return a seat's score minus the best other score."""
    scores = position.scores()
    return int(scores[seat] - max(score for player, score in enumerate(scores) if player != seat))


class Prover:
    """Proves what the seat to act can force, in a position and in all positions reachable from it.

    It searches at most `budget` positions (None: no limit). `goes_on` is called every few hundredths of a
    second. Methods raise BudgetSpentError if the budget runs out or `goes_on` returns False. Raises
    ValueError for a game that can't be solved.
    """

    def __init__(
        self,
        position: Position,
        budget: int | None,
        goes_on: Callable[[], bool] = lambda: True,
        memory_mb: float = MEMORY_MB,
    ) -> None:
        self.seat, self._budget, self._asked = position.to_move, budget, goes_on
        self.solver = Solver(position, self.seat, memory_mb)

    @property
    def spent(self) -> int:
        """The number of positions searched so far."""
        return self.solver.nodes

    def expect_budget(self) -> None:
        """Raise BudgetSpentError if the budget is spent. Short queries may all end before checking it."""
        if not self._may_go_on():
            raise BudgetSpentError

    def is_won(self, position: Position) -> bool:
        """Whether the seat can force a win from this position."""
        return self.is_at_least(position, WIN)

    def is_at_least(self, position: Position, points: int) -> bool:
        """Whether the seat can force a margin of at least `points` from this position."""
        if position.is_over or position.ply - self.solver.position.ply == self.solver.last_cut:
            return margin(position, self.seat) >= points
        answer = self.solver.is_at_least(position, points, self.goes_on)
        if answer is None:
            raise BudgetSpentError
        return answer

    def result(self, position: Position) -> int:
        """Return the seat's result under best play: 1 for a win, 0 for a draw, −1 for a loss."""
        if self.is_at_least(position, WIN):
            return 1
        return 0 if self.is_at_least(position, DRAW) else -1

    def results(self, position: Position) -> dict[int, int]:
        """Return the result of every action for the player to act, in a game of two players."""
        sign = 1 if position.to_move == self.seat else -1
        found = {}
        for action in map(int, position.legal_actions()):
            self.expect_budget()
            found[action] = sign * self.result(position.play_action(action))
        return found

    def goes_on(self, progress: Progress) -> bool:
        """Whether the solver may continue; its `on_slice` callback."""
        return self._may_go_on()

    def _may_go_on(self) -> bool:
        return (self._budget is None or self.spent < self._budget) and self._asked()
