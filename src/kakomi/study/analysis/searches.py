"""Many positions searched side by side."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from typing import Protocol

from msgspec import structs

from kakomi.bots import strongest_search
from kakomi.core import Game, Position
from kakomi.search import Report

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
