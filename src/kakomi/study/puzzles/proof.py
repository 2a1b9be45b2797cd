"""The proof of a win: by the solver, within a budget of positions."""

from kakomi.core import Position
from kakomi.study.exercises.margins import margin
from kakomi.study.puzzles.turns import turns_of
from kakomi.study.solve import Progress, Solver

MEMORY_MB = 64
WIN = 1
"""The least margin of a win."""
LINE_BUDGET = 10_000_000
"""Positions that are looked at for a line; its margin is exact, which is more work than who wins."""
MOST_TOLD = 40
"""Actions of a line that are kept."""


class BudgetSpentError(Exception):
    """The budget came to its end before the question did."""


class Prover:
    """Answers what the seat to act makes sure of, for a position and for all that play comes to from it.

    Looks at `budget` positions at most, or as many as it takes. Raises BudgetSpentError wherever that is not
    enough.
    """

    def __init__(self, position: Position, budget: int | None) -> None:
        self.seat, self._budget = position.to_move, budget
        self._solver = Solver(position, self.seat, MEMORY_MB)

    @property
    def spent(self) -> int:
        """Positions looked at."""
        return self._solver.nodes

    def expect_budget(self) -> None:
        """Raises BudgetSpentError if the budget is spent: many short questions are never stopped amid one."""
        if self._budget is not None and self.spent >= self._budget:
            raise BudgetSpentError

    def is_won(self, position: Position) -> bool:
        """Whether the seat wins from there, whatever all others do."""
        return self.is_at_least(position, WIN)

    def is_at_least(self, position: Position, points: int) -> bool:
        """Whether the seat makes sure of such a margin from there, whatever all others do."""
        if position.is_over or position.ply - self._solver.position.ply == self._solver.last_cut:
            return margin(position, self.seat) >= points
        answer = self._solver.is_at_least(position, points, self._goes_on)
        if answer is None:
            raise BudgetSpentError
        return answer

    def _goes_on(self, progress: Progress) -> bool:
        return self._budget is None or progress.nodes < self._budget


def best_line(position: Position, seat: int) -> tuple[str, ...]:
    """Best play from a position on, for a seat's margin; nothing if that takes too long to work out."""
    if position.is_over:
        return ()
    solver = Solver(position, seat, MEMORY_MB)
    if not solver.run(lambda progress: progress.nodes < LINE_BUDGET):
        return ()
    texts = position.game.action_texts
    return tuple(texts[action] for action in (solver.line() or [])[:MOST_TOLD])


def winning_turns(
    position: Position, most_turns: int, most_answers: int, prover: Prover
) -> list[tuple[str, ...]] | None:
    """All first turns that keep the win of the player to act, one for each position that they lead to.

    None if they have no win, if nothing can be missed, or if there are more turns or answers than asked for.
    Raises BudgetSpentError.
    """
    turns = turns_of(position, most_turns)
    if turns is None or len(turns) < 2 or not prover.is_won(position):
        return None
    answers: list[tuple[str, ...]] = []
    for turn in turns:
        if prover.is_won(turn.after):
            answers.append(turn.actions)
            if len(answers) > most_answers:
                return None
    return answers if len(answers) < len(turns) else None
