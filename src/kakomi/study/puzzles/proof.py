"""The proof of a win: by the solver, within a budget of positions."""

from kakomi.core import Position
from kakomi.solve import Prover, Solver
from kakomi.solve.prover import MEMORY_MB
from kakomi.study.puzzles.reasons import Reason
from kakomi.study.puzzles.turns import turns_of

LINE_BUDGET = 10_000_000
"""Positions that are looked at for a line; its margin is exact, which is more work than who wins."""
MOST_TOLD = 40
"""Actions of a line that are kept."""


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
) -> list[tuple[str, ...]] | Reason:
    """All first turns that keep the win of the player to act, one for each position that they lead to.

    A reason if they have no win, if nothing can be missed, or if there are more turns or answers than asked
    for. Raises BudgetSpentError.
    """
    turns = turns_of(position, most_turns)
    if turns is None:
        return Reason.TOO_MANY_TURNS
    if len(turns) < 2:
        return Reason.NO_CHOICE
    if not prover.is_won(position):
        return Reason.NO_WIN
    answers: list[tuple[str, ...]] = []
    for turn in turns:
        if prover.is_won(turn.after):
            answers.append(turn.actions)
            if len(answers) > most_answers:
                return Reason.MANY_WIN
    return answers if len(answers) < len(turns) else Reason.ALL_WIN
