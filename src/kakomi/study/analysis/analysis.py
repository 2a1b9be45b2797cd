"""The analysis of a recorded game, by many positions searched side by side."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from msgspec import structs

from kakomi.bots import strongest_search
from kakomi.core import Game, Position
from kakomi.records import Record
from kakomi.search import Report
from kakomi.study.analysis.move import (
    Move,
    Ply,
    is_suspicious,
    judged,
    judged_longer,
    measured_dispersion,
    plies,
)

SIMULATIONS = 5_000
"""A position, unless somebody asks for something else: a game on a default board takes about a minute on
two cores."""


@dataclass(frozen=True)
class PositionLimits:
    """The limits of the search of each position, simulations or seconds or both, and the seed of it all.

    Raises ValueError if there is no limit.
    """

    simulations: int | None = None
    seconds: float | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("an analysis needs a limit: simulations or seconds a position")

    def times(self, factor: int) -> "PositionLimits":
        """The limits of a search that takes a multiple of the effort."""
        return replace(
            self,
            simulations=None if self.simulations is None else self.simulations * factor,
            seconds=None if self.seconds is None else self.seconds * factor,
        )


Tell = Callable[[str, int, int], None]
"""Called with the current work, the number of positions done, and the number of all."""

_SEEDS_A_GAME = 1 << 32
_SEEDS_A_PLY = 1 << 8


@dataclass(frozen=True)
class Question:
    """A position to search."""

    position: Position
    factor: int = 1
    """The multiple of the usual effort."""
    attempt: int = 0
    """Questions on a position that differ in this are answered independently of each other."""


class Answers(Protocol):
    """A searcher of positions."""

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report with the best line for each question; None for unanswered ones."""


class Searches:
    """Answers questions on a game's positions, on several threads: searches let others run meanwhile.

    Every question gets a search and a seed of its own, so that with limits in simulations the answers
    don't depend on the number of threads.
    """

    def __init__(
        self, game: Game, effort: PositionLimits, *, threads: int, tell: Tell, stop: threading.Event
    ) -> None:
        self._game = game
        self._effort = effort
        self._is_repeatable = effort.simulations is not None
        self._threads = threads
        self._tell = tell
        self._stop = stop

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """A report for each question; None for those that were not reached before `stop` was set."""
        self._compile()
        with ThreadPoolExecutor(self._threads) as executor:
            futures = [executor.submit(self._answer, question) for question in questions]
            try:
                self._watch(what, futures)
            except BaseException:
                self._stop.set()
                raise
        return [future.result() for future in futures]

    def _watch(self, what: str, futures: list[Future[Report | None]]) -> None:
        for done, future in enumerate(as_completed(futures), 1):
            future.result()
            self._tell(what, done, len(futures))

    def _answer(self, question: Question) -> Report | None:
        position = question.position
        if self._stop.is_set():
            return None
        if position.is_over:
            return Report.of_result(position)
        seed = seed_of(self._effort, question)
        search = strongest_search(self._game, seed=seed, is_repeatable=self._is_repeatable)
        effort = self._effort.times(question.factor)
        report = search.run(position, simulations=effort.simulations, seconds=effort.seconds, stop=self._stop)
        return None if self._stop.is_set() else structs.replace(report, lines=report.lines[:1])

    def _compile(self) -> None:
        """Once, before threads would do it side by side."""
        search = strongest_search(self._game, memory_mb=1, is_repeatable=self._is_repeatable)
        search.run(self._game.start(), simulations=1)


def seed_of(effort: PositionLimits, question: Question) -> int:
    """The seed of the search that answers a question."""
    return effort.seed * _SEEDS_A_GAME + question.position.ply * _SEEDS_A_PLY + question.attempt


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
