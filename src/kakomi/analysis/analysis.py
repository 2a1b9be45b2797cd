"""The analysis of a recorded game: its positions are searched in parallel."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

from msgspec import structs

from kakomi.analysis.move import (
    Move,
    Ply,
    is_suspicious,
    judged,
    judged_longer,
    measured_dispersion,
    plies,
)
from kakomi.analysis.swing import Swing, swing_of
from kakomi.bots import strongest_search
from kakomi.core import Game, Position
from kakomi.records import Record
from kakomi.search import Report
from kakomi.search.playout import PLAYOUTS, ownership

SIMULATIONS = 5_000
"""The default per position: a game on a default board takes about a minute on two cores."""


@dataclass(frozen=True)
class PositionLimits:
    """The limits of each position's search, in simulations, seconds or both, and the seed of the analysis.

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
"""Called with the name of the current step, the number of positions done, and their total."""

_SEEDS_A_GAME = 1 << 32
_SEEDS_A_PLY = 1 << 8


@dataclass(frozen=True)
class Question:
    """A position to search."""

    position: Position
    factor: int = 1
    """Multiplies the usual limits."""
    attempt: int = 0
    """Questions about the same position with different attempts get independent searches."""

    @property
    def playouts(self) -> int:
        """How many playouts estimate the leads, or for swings also the owners."""
        return PLAYOUTS if self.has_owners else LEAD_PLAYOUTS

    @property
    def has_owners(self) -> bool:
        """Whether the answer has likely owners, which are too many numbers to keep for every position."""
        return self.attempt == _SWING


class Answers(Protocol):
    """A searcher of positions."""

    def answers(self, what: str, questions: Sequence[Question]) -> list[Report | None]:
        """Return a report with the best line for each question, None for unanswered ones."""


class Searches:
    """Answers questions about a game's positions on several threads; searches release the GIL.

    Each question gets its own search and seed, so that with limits in simulations the answers don't depend
    on the number of threads.
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
        """Return a report for each question, None for those not finished before `stop` was set."""
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
        owned = ownership(position, question.playouts, seed=seed, stop=self._stop)
        return None if self._stop.is_set() else structs.replace(report, lines=report.lines[:1], owned=owned)

    def _compile(self) -> None:
        """Compile once, before several threads would all do so."""
        search = strongest_search(self._game, memory_mb=1, is_repeatable=self._is_repeatable)
        search.run(self._game.start(), simulations=1)
        ownership(self._game.start(), 1)


def seed_of(effort: PositionLimits, question: Question) -> int:
    """The seed of the search that answers a question."""
    return effort.seed * _SEEDS_A_GAME + question.position.ply * _SEEDS_A_PLY + question.attempt


LONGER = 4
"""Multiplies the usual limits for positions before and after a suspicious action."""
REPEATED = 12
"""The number of positions searched twice, to measure how far two searches differ."""
LEAD_PLAYOUTS = 200
"""Playouts behind the lead in each position; a few milliseconds."""
_AGAIN, _LONGER, INSTEAD, _SWING = 1, 2, 3, 4
"""Attempt numbers of later searches of a position."""


LEAST_SHOWN, MOST_SHOWN = 3, 5
"""How many turning points a page or a plot shows of a game that has as many."""


@dataclass(frozen=True)
class Analysis:
    """The judged actions of a game, as far as the analysis got."""

    game: Game
    effort: PositionLimits
    moves: tuple[Move, ...]
    dispersion: float
    """The variance between searches, as a multiple of the variance of independent simulations."""
    is_complete: bool

    @property
    def turning_points(self) -> tuple[Move, ...]:
        """The mistakes and blunders, in the order played."""
        return tuple(move for move in self.moves if move.is_turning_point)

    @property
    def highlights(self) -> tuple[Move, ...]:
        """The costliest turning points, up to `MOST_SHOWN`, in the order played.

        Inaccuracies fill them up to `LEAST_SHOWN`.
        """
        graded = sorted((move for move in self.moves if move.grade), key=lambda move: -move.loss)
        worst = graded[: max(LEAST_SHOWN, min(MOST_SHOWN, len(self.turning_points)))]
        return tuple(move for move in self.moves if move in worst)

    @property
    def reports(self) -> tuple[tuple[float, Report], ...]:
        """Each position's moment, in turns from the start, and its report."""
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
    """Search every position of the main line, then those around suspicious actions for longer.

    `turns` selects turns by their numbers. When `stop` is set, the analysis ends soon, with the actions
    judged so far. With a limit in simulations alone, the result depends only on the seed. `searches`
    replaces the local searches; `threads` and `tell` are then ignored.
    """
    stop = stop or threading.Event()
    searches = searches or Searches(game, effort, threads=threads, tell=tell, stop=stop)
    found = plies(record, game, turns)
    reports = _first_reports(searches, found)
    dispersion = _dispersion(searches, found, reports)
    moves = tuple(_judged_moves(searches, found[: max(0, len(reports) - 1)], reports, dispersion))
    analysis = Analysis(game, effort, moves, dispersion, is_complete=not stop.is_set())
    swings = _swings(searches, analysis.highlights)
    moves = tuple(replace(move, swing=swings.get(move.ply.before.ply)) for move in moves)
    return replace(analysis, moves=moves, is_complete=not stop.is_set())


def _first_reports(searches: Answers, found: Sequence[Ply]) -> list[Report]:
    """The positions' reports, up to where the analysis was stopped."""
    positions = [ply.before for ply in found[:1]] + [ply.after for ply in found]
    reports = []
    for report in searches.answers("Searching", [Question(position) for position in positions]):
        if report is None:
            break
        reports.append(report)
    return reports


def _dispersion(searches: Answers, found: Sequence[Ply], reports: Sequence[Report]) -> float:
    """The dispersion, measured by searching positions spread over the game again."""
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
    """Position number → report of a longer search, for the positions before and after suspects."""
    numbers = sorted({number + after for number in suspects for after in (0, 1)})
    positions = [found[number].before if number < len(found) else found[-1].after for number in numbers]
    questions = [Question(position, LONGER, _LONGER) for position in positions]
    return _answered(numbers, searches.answers("Checking", questions))


def _alternatives(
    searches: Answers, found: Sequence[Ply], known: dict[int, Report], suspects: Sequence[int]
) -> dict[int, Report]:
    """Action number → report on the position after the best action instead."""
    others = [number for number in suspects if known[number].action != found[number].action]
    questions = [
        Question(found[number].before.play_action(known[number].action), LONGER, INSTEAD) for number in others
    ]
    return _answered(others, searches.answers("Comparing", questions))


def _swings(searches: Answers, moves: Sequence[Move]) -> dict[int, Swing | None]:
    """The number of plies before each move -> its swing, where both of its line ends have an answer."""
    ends = [end for move in moves for end in move.line_ends]
    reports = searches.answers("Counting", [Question(end, attempt=_SWING) for end in ends])
    owned = [
        ownership(end, 1) if end.is_over else report.owned if report else None
        for end, report in zip(ends, reports, strict=True)
    ]
    pairs = zip(moves, owned[::2], owned[1::2], strict=True)
    return {
        move.ply.before.ply: swing_of(move.ply.before, played, better)
        for move, played, better in pairs
        if played and better
    }


def _answered(numbers: Sequence[int], answers: Sequence[Report | None]) -> dict[int, Report]:
    return {number: answer for number, answer in zip(numbers, answers, strict=True) if answer}
