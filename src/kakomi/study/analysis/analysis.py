"""The analysis of a recorded game."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from kakomi.core import Game
from kakomi.records import Record
from kakomi.search import Report
from kakomi.study.analysis.dispersion import measured_dispersion
from kakomi.study.analysis.move import Move, Ply, is_suspicious, judged, judged_longer, plies
from kakomi.study.analysis.searches import Answers, PositionLimits, Question, Searches, Tell

LONGER = 4
"""The multiple of the usual effort for positions round a suspicious action."""
REPEATED = 12
"""The number of positions that are searched twice, to measure how far two searches differ."""
_AGAIN, _LONGER, _INSTEAD = 1, 2, 3
"""The attempts at a position after the first one."""


@dataclass(frozen=True)
class Analysis:
    """Every action of a game judged, as far as the analysis came."""

    game: Game
    effort: PositionLimits
    moves: tuple[Move, ...]
    dispersion: float
    """The variance between searches, as a multiple of that of independent simulations."""
    is_complete: bool

    @property
    def turning_points(self) -> tuple[Move, ...]:
        """The mistakes and blunders, in the order played."""
        return tuple(move for move in self.moves if move.is_turning_point)

    @property
    def reports(self) -> tuple[tuple[float, Report], ...]:
        """The positions: when they were reached, in turns, and what they are worth."""
        if not self.moves:
            return ()
        first = self.moves[0]
        start = (first.ply.moment - 1 / first.ply.of, first.before)
        return (start, *((move.ply.moment, move.after) for move in self.moves))


def analyse(
    record: Record,
    game: Game,
    effort: PositionLimits,
    *,
    turns: range | None = None,
    threads: int = 1,
    tell: Tell = lambda what, done, total: None,
    stop: threading.Event | None = None,
    searches: Answers | None = None,
) -> Analysis:
    """Search every position of the game itself, then those round suspicious actions for longer.

    `turns` picks turns by their numbers. When `stop` is set the analysis ends soon, with the actions
    that it has come to. With a limit in simulations alone, the seed decides everything. Somebody else
    may do the `searches`; then `threads` and `tell` mean nothing.
    """
    stop = stop or threading.Event()
    searches = searches or Searches(game, effort, threads=threads, tell=tell, stop=stop)
    found = plies(record, game, turns)
    reports = _first_reports(searches, found)
    dispersion = _dispersion(searches, found, reports)
    moves = _judged_moves(searches, found[: max(0, len(reports) - 1)], reports, dispersion)
    return Analysis(game, effort, tuple(moves), dispersion, is_complete=not stop.is_set())


def _first_reports(searches: Answers, found: Sequence[Ply]) -> list[Report]:
    """Of the positions, from the first on until the analysis was stopped."""
    positions = [ply.before for ply in found[:1]] + [ply.after for ply in found]
    reports = []
    for report in searches.answers("Searching", [Question(position) for position in positions]):
        if report is None:
            break
        reports.append(report)
    return reports


def _dispersion(searches: Answers, found: Sequence[Ply], reports: Sequence[Report]) -> float:
    """As positions spread over the game show it, searched once more."""
    open_ones = [number for number, report in enumerate(reports[:-1]) if not report.is_exact]
    step = max(1, len(open_ones) // REPEATED)
    chosen = open_ones[step // 2 :: step][:REPEATED]
    again = searches.answers("Repeating", [Question(found[number].before, 1, _AGAIN) for number in chosen])
    return measured_dispersion(
        (reports[number], second) for number, second in zip(chosen, again, strict=True) if second
    )


def _judged_moves(
    searches: Answers, found: Sequence[Ply], reports: Sequence[Report], dispersion: float
) -> list[Move]:
    pairs = list(pairwise(reports))
    first = [judged(ply, *pair, dispersion) for ply, pair in zip(found, pairs, strict=True)]
    suspects = [number for number, move in enumerate(first) if is_suspicious(move, dispersion)]
    known = _longer_reports(searches, found, suspects)
    better = [known.get(number, report) for number, report in enumerate(reports)]
    again = [judged(ply, *pair, dispersion) for ply, pair in zip(found, pairwise(better), strict=True)]
    checkable = [number for number in suspects if {number, number + 1} <= known.keys()]
    for number, instead in _alternatives(searches, found, known, checkable).items():
        again[number] = judged_longer(found[number], known[number], known[number + 1], instead, dispersion)
    return again


def _longer_reports(searches: Answers, found: Sequence[Ply], suspects: Sequence[int]) -> dict[int, Report]:
    """Number of a position -> what a longer search says of it, for those before and after suspects."""
    numbers = sorted({number + after for number in suspects for after in (0, 1)})
    positions = [found[number].before if number < len(found) else found[-1].after for number in numbers]
    questions = [Question(position, LONGER, _LONGER) for position in positions]
    return _answered(numbers, searches.answers("Checking", questions))


def _alternatives(
    searches: Answers, found: Sequence[Ply], known: dict[int, Report], suspects: Sequence[int]
) -> dict[int, Report]:
    """Number of an action -> what the position is worth that the best one leads to instead."""
    others = [number for number in suspects if known[number].action != found[number].action]
    questions = [
        Question(found[number].before.play_action(known[number].action), LONGER, _INSTEAD)
        for number in others
    ]
    return _answered(others, searches.answers("Comparing", questions))


def _answered(numbers: Sequence[int], answers: Sequence[Report | None]) -> dict[int, Report]:
    return {number: answer for number, answer in zip(numbers, answers, strict=True) if answer}
