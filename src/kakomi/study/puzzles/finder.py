"""A search for puzzles in games: from their ends backwards, as far as the solver comes within its budget."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.solve import BudgetSpentError, Prover
from kakomi.study.exercises.finder import canonical_key
from kakomi.study.puzzles.proof import best_line, winning_turns
from kakomi.study.puzzles.puzzle import Puzzle, played
from kakomi.study.puzzles.sources import PlayedLine
from kakomi.study.puzzles.tries import hardest_level

MOST_OVERRUNS = 2
"""After so many positions in succession that are too much for the budget, earlier ones would be too."""


@dataclass(frozen=True)
class Demands:
    """What a puzzle has to be."""

    level: int = 1
    """The lowest level that has to miss it, at least every second time."""
    tries: int = 8
    """How often each level is asked."""
    most_answers: int = 1
    """First turns that keep the win."""
    most_turns: int = 250
    """Turns to choose among."""
    budget: int = 1_000_000
    """Positions that the solver may look at for a puzzle."""


def find(
    games: Iterable[PlayedLine], demands: Demands, tell: Callable[[int], None] = lambda number: None
) -> Iterator[Puzzle]:
    """The puzzles in some games, the hardest of each game, no two alike but for a symmetry.

    The same games and demands give the same puzzles. `tell` is called with the number of games looked at.
    """
    seen: set[bytes] = set()
    for number, game in enumerate(games, 1):
        if hardest := _hardest(game, demands, seen):
            yield hardest
        tell(number)


def _hardest(game: PlayedLine, demands: Demands, seen: set[bytes]) -> Puzzle | None:
    """The puzzle of a game that the highest level misses; of several the one missed most, then the first."""
    found: list[Puzzle] = []
    overruns = 0
    for position in reversed(game.positions):
        if position.is_over or (key := canonical_key(position)) in seen:
            continue
        seen.add(key)
        try:
            puzzle = puzzle_at(position, game, demands)
        except BudgetSpentError:
            overruns += 1
            if overruns == MOST_OVERRUNS:
                break
            continue
        overruns = 0
        if puzzle:
            found.append(puzzle)
    return max(reversed(found), key=lambda puzzle: (puzzle.level, puzzle.misses), default=None)


def puzzle_at(position: Position, game: PlayedLine, demands: Demands) -> Puzzle | None:
    """The puzzle at a position of a game; None if it is none. Raises BudgetSpentError."""
    prover = Prover(position, demands.budget)
    answers = winning_turns(position, demands.most_turns, demands.most_answers, prover)
    if answers is None:
        return None
    hardest = hardest_level(position, answers, demands.level, demands.tries, game.seed)
    if hardest is None:
        return None
    texts = position.game.action_texts
    answer = answers[0]
    line = best_line(played(position, " ".join(answer)), position.to_move)
    return Puzzle(
        game=position.game.name,
        options=dict(position.game.options),
        position=game.start,
        before=" ".join(texts[action] for action in position.played()),
        at=str(position),
        seat=position.to_move,
        answers=tuple(" ".join(turn) for turn in answers),
        line=" ".join((*answer, *line)),
        level=hardest[0],
        misses=hardest[1],
        tries=demands.tries,
        source=game.source,
        seed=game.seed,
    )
