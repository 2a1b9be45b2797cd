"""Prove puzzles: find the turns that win, within a budget of positions, and the flaws of a puzzle."""

from collections import Counter
from collections.abc import Iterator
from enum import Enum

from kakomi.bots.levels import levels_of
from kakomi.core import IllegalAction, Position
from kakomi.puzzles import Puzzle, is_whole_turn, played, turns_of
from kakomi.solve import BudgetSpentError, Prover, Solver, margin
from kakomi.solve.prover import MEMORY_MB, WIN

LINE_BUDGET = 10_000_000
"""Positions to search for a line; its exact margin is more work than the winner."""
MOST_TOLD = 40
"""The most actions of a line to keep."""
_ANY = 1 << 20
"""More turns than any puzzle position has."""


class Reason(Enum):
    """Why a position isn't a puzzle, worded to follow a number of positions."""

    NO_CHOICE = "with one turn only"
    TOO_MANY_TURNS = "with too many turns to look at all"
    OVER_BUDGET = "that took more than the budget"
    NO_WIN = "without a win"
    ALL_WIN = "in which every turn wins"
    MANY_WIN = "in which more turns win than asked for"
    FOUND_BY_BOTS = "in which the lowest level finds a turn that wins"


def in_words(tally: Counter[Reason]) -> str:
    """The count of each reason, the most frequent first; empty without any."""
    return ", ".join(f"{count:,} {reason.value}" for reason, count in tally.most_common())


def best_line(position: Position, seat: int) -> tuple[str, ...]:
    """Best play from a position on, by a seat's margin; empty if it takes too long to find."""
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
    """All turns that keep the win of the player to act, one for each position that they lead to.

    Returns a reason instead if there is no win, if it can't be missed, or if there are too many turns or
    answers. Raises BudgetSpentError.
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


def flaws(puzzle: Puzzle, budget: int | None = None) -> Iterator[str]:
    """Yield what is wrong with a puzzle; nothing if it can be played and its win is proved.

    The proof searches at most `budget` positions, or any number if that is None.
    """
    try:
        begun = puzzle.begin()
        puzzle.shown()
    except ValueError as error:
        yield f"it can't be begun: {error}"
        return
    found = list(flaws_of_play(puzzle, begun))
    yield from found
    if not found:
        yield from _flaws_of_proof(puzzle, begun, budget)


def flaws_of_play(puzzle: Puzzle, begun: Position) -> Iterator[str]:
    """Yield what can't be played or is inconsistent, without proving anything."""
    if begun.is_over or begun.turn or begun.to_move != puzzle.seat:
        yield f"seat {puzzle.seat} is not to begin a turn there"
        return
    if begun != puzzle.shown():
        yield f"what is played leads to {begun}, and not to {puzzle.at}"
        return
    levels = levels_of(begun.game.description)
    if puzzle.level not in levels:
        yield f"{puzzle.game} has no level {puzzle.level}: it has 1 to {levels[-1]}"
    if puzzle.misses > puzzle.tries:
        yield f"{puzzle.misses} misses are more than {puzzle.tries} tries"
    for answer in puzzle.answers:
        try:
            if not is_whole_turn(begun, played(begun, answer)):
                yield f"{answer} is no whole turn"
        except IllegalAction as error:
            yield f"the answer {answer}: {error}"
    yield from _flaws_of_line(puzzle, begun)


def _flaws_of_line(puzzle: Puzzle, begun: Position) -> Iterator[str]:
    if not f"{puzzle.line} ".startswith(f"{puzzle.answers[0]} "):
        yield f"the line doesn't begin with {puzzle.answers[0]}"
        return
    try:
        end = played(begun, puzzle.line)
    except IllegalAction as error:
        yield f"the line: {error}"
        return
    if end.is_over and margin(end, puzzle.seat) < WIN:
        yield f"the line ends with a margin of {margin(end, puzzle.seat)}"


def _flaws_of_proof(puzzle: Puzzle, begun: Position, budget: int | None) -> Iterator[str]:
    try:
        proved = winning_turns(begun, _ANY, _ANY, Prover(begun, budget))
    except BudgetSpentError:
        yield f"{budget:,} positions are not enough to prove it; --budget says how many are looked at"
        return
    if isinstance(proved, Reason):
        yield "there is no win, or nothing to miss"
        return
    right = {played(begun, " ".join(turn)).key() for turn in proved}
    told = {played(begun, answer).key() for answer in puzzle.answers}
    if missing := len(right - told):
        yield f"{missing} more first turns keep the win"
    yield from (
        f"{answer} doesn't keep the win"
        for answer in puzzle.answers
        if played(begun, answer).key() not in right
    )
