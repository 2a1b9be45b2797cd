"""Questions about one game: what a seat makes sure of in its positions, within a budget."""

from collections.abc import Callable

from kakomi.core import Game, Position
from kakomi.core.validation import check_requirements
from kakomi.solve.solver import Progress, Solver

MEMORY_MB = 64
WIN = 1
"""The least margin of a win."""
DRAW = 0
"""The least margin of a draw."""


class BudgetSpentError(Exception):
    """The budget came to its end before the question did, or somebody stopped the work."""


def check_provable(game: Game) -> None:
    """Raises ValueError for a game in which nobody's results can be proved: of more than two players, where
    they depend on whom the others side with, or one that can't be solved."""
    if game.players != 2:
        raise ValueError(f"results are proved between two players, and this game has {game.players}")
    check_requirements(game)


def margin(position: Position, seat: int) -> int:
    """A seat's score less the best other one's."""
    scores = position.scores()
    return int(scores[seat] - max(score for player, score in enumerate(scores) if player != seat))


class Prover:
    """Answers what the seat to act makes sure of, for a position and for all that play comes to from it.

    Looks at `budget` positions at most, or as many as it takes. `goes_on` is asked every few hundredths of a
    second. Raises BudgetSpentError wherever the budget is not enough, or `goes_on` says no; ValueError for
    a game that can't be solved.
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
        """Positions looked at."""
        return self.solver.nodes

    def expect_budget(self) -> None:
        """Raises BudgetSpentError if the budget is spent: many short questions are never stopped amid one."""
        if not self._may_go_on():
            raise BudgetSpentError

    def is_won(self, position: Position) -> bool:
        """Whether the seat wins from there, whatever all others do."""
        return self.is_at_least(position, WIN)

    def is_at_least(self, position: Position, points: int) -> bool:
        """Whether the seat makes sure of such a margin from there, whatever all others do."""
        if position.is_over or position.ply - self.solver.position.ply == self.solver.last_cut:
            return margin(position, self.seat) >= points
        answer = self.solver.is_at_least(position, points, self.goes_on)
        if answer is None:
            raise BudgetSpentError
        return answer

    def result(self, position: Position) -> int:
        """What the seat comes to from there under best play: 1 for a win, 0 for a draw, −1 for a loss."""
        if self.is_at_least(position, WIN):
            return 1
        return 0 if self.is_at_least(position, DRAW) else -1

    def results(self, position: Position) -> dict[int, int]:
        """What every action of a position for two players comes to, as who acts there sees it."""
        sign = 1 if position.to_move == self.seat else -1
        found = {}
        for action in map(int, position.legal_actions()):
            self.expect_budget()
            found[action] = sign * self.result(position.play_action(action))
        return found

    def goes_on(self, progress: Progress) -> bool:
        """Whether a search of the solver may go on."""
        return self._may_go_on()

    def _may_go_on(self) -> bool:
        return (self._budget is None or self.spent < self._budget) and self._asked()
