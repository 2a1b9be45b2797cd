"""What is wrong with a puzzle: whether it can be played, and whether its win is proved."""

from collections.abc import Iterator

from kakomi.bots.levels import levels_of
from kakomi.core import IllegalAction, Position
from kakomi.solve import BudgetSpentError, Prover, margin
from kakomi.solve.prover import WIN
from kakomi.study.puzzles.proof import winning_turns
from kakomi.study.puzzles.puzzle import Puzzle, is_whole_turn, played
from kakomi.study.puzzles.reasons import Reason

_ANY = 1 << 20
"""More turns than any position of a puzzle has."""


def flaws(puzzle: Puzzle, budget: int | None = None) -> Iterator[str]:
    """What is wrong with a puzzle; nothing if it can be played and its win is proved.

    The proof looks at `budget` positions at most; without one it takes as long as it takes.
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
    """What can't be played, or doesn't hold together; nothing is proved."""
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
