"""A search for puzzles in games: from their ends backwards, as far as the solver comes within its budget."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.solve import BudgetSpentError, Prover
from kakomi.study.exercises.finder import canonical_key
from kakomi.study.puzzles.proof import best_line, winning_turns
from kakomi.study.puzzles.puzzle import Puzzle, played
from kakomi.study.puzzles.reasons import Reason
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
    games: Iterable[PlayedLine],
    demands: Demands,
    tell: Callable[[int], None] = lambda number: None,
    tally: Counter[Reason] | None = None,
) -> Iterator[Puzzle]:
    """The puzzles in some games, the hardest of each game, no two alike but for a symmetry.

    The same games and demands give the same puzzles. `tell` is called with the number of games looked at;
    `tally` counts the positions looked at that are none.
    """
    seen: set[bytes] = set()
    for number, game in enumerate(games, 1):
        hardest = _hardest(game, demands, seen, Counter() if tally is None else tally)
        tell(number)
        if hardest:
            yield hardest


@dataclass(frozen=True)
class _Candidate:
    """A position with wins to miss, and the highest level that misses them."""

    position: Position
    answers: list[tuple[str, ...]]
    level: int
    misses: int


def _hardest(game: PlayedLine, demands: Demands, seen: set[bytes], tally: Counter[Reason]) -> Puzzle | None:
    """The puzzle of a game that the highest level misses; of several the one missed most, then the first."""
    found: list[_Candidate] = []
    overruns = 0
    for position in reversed(game.positions):
        if position.is_over or (key := canonical_key(position)) in seen:
            continue
        seen.add(key)
        try:
            candidate = _candidate_at(position, demands, game.seed)
        except BudgetSpentError:
            tally[Reason.OVER_BUDGET] += 1
            overruns += 1
            if overruns == MOST_OVERRUNS:
                break
            continue
        overruns = 0
        if isinstance(candidate, Reason):
            tally[candidate] += 1
        else:
            found.append(candidate)
    hardest = max(reversed(found), key=lambda candidate: (candidate.level, candidate.misses), default=None)
    return _puzzle_of(hardest, game, demands.tries) if hardest else None


def _candidate_at(position: Position, demands: Demands, seed: int) -> _Candidate | Reason:
    """Raises BudgetSpentError."""
    prover = Prover(position, demands.budget)
    answers = winning_turns(position, demands.most_turns, demands.most_answers, prover)
    if isinstance(answers, Reason):
        return answers
    hardest = hardest_level(position, answers, demands.level, demands.tries, seed)
    return _Candidate(position, answers, *hardest) if hardest else Reason.FOUND_BY_BOTS


def _puzzle_of(candidate: _Candidate, game: PlayedLine, tries: int) -> Puzzle:
    """With its line, which is often more work than the proof."""
    position, answer = candidate.position, candidate.answers[0]
    texts = position.game.action_texts
    line = best_line(played(position, " ".join(answer)), position.to_move)
    return Puzzle(
        game=position.game.name,
        options=dict(position.game.options),
        position=game.start,
        before=" ".join(texts[action] for action in position.played()),
        at=str(position),
        seat=position.to_move,
        answers=tuple(" ".join(turn) for turn in candidate.answers),
        line=" ".join((*answer, *line)),
        level=candidate.level,
        misses=candidate.misses,
        tries=tries,
        source=game.source,
        seed=game.seed,
    )
