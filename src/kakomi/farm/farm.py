"""A farm: hands pieces out, and again where a worker died."""

import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Self, TypeVar

from kakomi.core.system import cores
from kakomi.farm.piece import Death, Failure, Fault, Piece, Result, Workers, WorkFailed

T = TypeVar("T")

TRIES = 3
"""So often a piece is begun whose worker dies."""
MOST_FAILURES = 10
"""With so many pieces that failed something is wrong with all of them, and no more are begun."""


def open_farm(workers: int | None = None, ray: str | None = None) -> "Farm":
    """A farm on this machine, or on the Ray cluster at an address, for a `with` block.

    `workers` pieces are done at a time, by default one for each core, here or of the cluster. An address is
    HOST:PORT of the cluster's head, or `auto` on a machine that belongs to one.

    Raises FarmError for a cluster that can't be used, ModuleNotFoundError saying what to install if Ray is
    missing.
    """
    if ray is None:
        from kakomi.farm.processes import Processes

        return Farm(Processes(workers or cores()))
    from kakomi.farm.ray_cluster import RayCluster

    return Farm(RayCluster(ray, workers))


class Farm:
    """Does pieces of work, several at a time. Leaving the `with` block ends all that is under way.

    What a piece comes to depends neither on the number of workers nor on the order in which they end.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._numbers = count()
        self._is_running = False
        self.deaths = 0
        """Workers that died so far, each of them replaced."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers, at once."""
        self._workers.close()

    @property
    def workers(self) -> int:
        """How many pieces are done at a time; a cluster may grow."""
        return self._workers.count()

    def run(self, pieces: Iterable[Piece[T]]) -> Generator[tuple[Piece[T], T]]:
        """Every piece with its result, as soon as it is done.

        Pieces are taken from the iterable when a worker is free, so it may go on for ever. Workers stay warm
        for the next run; there is one run at a time. Closing the iterator, as `contextlib.closing` does, ends
        what is under way.

        Raises WorkFailed in the end if there are pieces whose function raised an exception, or whose
        workers died `TRIES` times; after `MOST_FAILURES` such pieces at once.
        """
        assert not self._is_running, "a farm has one run at a time"
        self._is_running = True
        run = _Run(self._workers, pieces, self._numbers)
        try:
            yield from run.outcomes(self)
        finally:
            self._is_running = False
            if run.under_way:
                self._workers.abandon()
        if run.failures:
            raise WorkFailed([failure for _, failure in sorted(run.failures)])

    def results(self, pieces: Sequence[Piece[T]]) -> list[T]:
        """The results of all pieces, in their order. Raises WorkFailed as `run` does."""
        found = {id(piece): result for piece, result in self.run(pieces)}
        return [found[id(piece)] for piece in pieces]


@dataclass
class _Attempt:
    """A piece that a worker has, or had."""

    place: int
    """Among the pieces of its run, from 0."""
    piece: Piece[Any]
    packed: bytes
    tries: int = 1


class _Run:
    """The pieces of one run: still to come, under way, and to be begun again."""

    def __init__(self, workers: Workers, pieces: Iterable[Piece[Any]], numbers: Iterator[int]) -> None:
        self._workers = workers
        self._coming = enumerate(pieces)
        self._numbers = numbers
        self._again: deque[_Attempt] = deque()
        self.under_way: dict[int, _Attempt] = {}
        self.failures: list[tuple[int, Failure]] = []
        """With the places of their pieces."""

    def outcomes(self, farm: Farm) -> Iterator[tuple[Piece[Any], Any]]:
        """Pieces and results, until nothing is under way any more."""
        while len(self.failures) < MOST_FAILURES:
            self._hand_out()
            if not self.under_way:
                break
            for number, outcome in self._workers.ended():
                attempt = self.under_way.pop(number)
                match outcome:
                    case Result(value):
                        yield attempt.piece, value
                    case Death(reason):
                        farm.deaths += 1
                        self._try_again(attempt, reason)
                    case Fault(reason, told):
                        sys.stderr.write(told)
                        self._give_up(attempt, reason)

    def _hand_out(self) -> None:
        for _ in range(self._workers.room()):
            attempt = self._again.popleft() if self._again else self._next()
            if attempt is None:
                return
            number = next(self._numbers)
            self.under_way[number] = attempt
            self._workers.begin(number, attempt.packed)

    def _next(self) -> _Attempt | None:
        for place, piece in self._coming:
            return _Attempt(place, piece, piece.packed())
        return None

    def _try_again(self, attempt: _Attempt, reason: str) -> None:
        if attempt.tries < TRIES:
            attempt.tries += 1
            self._again.append(attempt)
        else:
            self._give_up(attempt, f"{reason}, {TRIES} times")

    def _give_up(self, attempt: _Attempt, reason: str) -> None:
        self.failures.append((attempt.place, Failure(attempt.piece.name, reason)))
