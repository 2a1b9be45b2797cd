"""A farm: hands pieces of work to workers, and again if a worker dies."""

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
"""How often to try a piece whose worker dies."""
MOST_FAILURES = 10
"""After this many failed pieces, something is probably wrong with all of them, and no more are started."""


def open_farm(workers: int | None = None, ray: str | None = None) -> "Farm":
    """Open a farm on this machine, or on the Ray cluster at an address, for a `with` block.

    `workers` is the number of pieces to do at a time, by default one for each core of this machine or the
    cluster. The address is HOST:PORT of the cluster's head, or `auto` on a machine that belongs to a cluster.

    Raises FarmError if the cluster can't be used, and ModuleNotFoundError, saying what to install, if Ray is
    missing.
    """
    if ray is None:
        from kakomi.farm.processes import Processes

        return Farm(Processes(workers or cores()))
    from kakomi.farm.ray_cluster import RayCluster

    return Farm(RayCluster(ray, workers))


class Farm:
    """Does pieces of work, several at a time. Leaving the `with` block ends all running pieces.

    Results depend neither on the number of workers nor on the order in which pieces end.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._numbers = count()
        self._is_running = False
        self.deaths = 0
        """The number of workers that have died and been replaced."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers immediately."""
        self._workers.close()

    @property
    def workers(self) -> int:
        """The number of pieces done at a time; it changes if a cluster grows."""
        return self._workers.count()

    def run(self, pieces: Iterable[Piece[T]]) -> Generator[tuple[Piece[T], T]]:
        """Yield every piece with its result, as soon as it is done.

        Pieces are taken from the iterable when a worker is free, so it may be infinite. Workers stay warm for
        the next run; only one run at a time is possible. Closing the iterator, as `contextlib.closing` does,
        ends the running pieces.

        Raises WorkFailed at the end if a piece's function raised an exception, or if its workers died
        `TRIES` times; after `MOST_FAILURES` such pieces, immediately.
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
        """The results of all pieces, in order. Raises WorkFailed as `run` does."""
        found = {id(piece): result for piece, result in self.run(pieces)}
        return [found[id(piece)] for piece in pieces]


@dataclass
class _Attempt:
    """A piece that has been given to a worker."""

    place: int
    """Its index among the pieces of the run."""
    piece: Piece[Any]
    packed: bytes
    tries: int = 1


class _Run:
    """The pieces of one run: to come, under way, and to be retried."""

    def __init__(self, workers: Workers, pieces: Iterable[Piece[Any]], numbers: Iterator[int]) -> None:
        self._workers = workers
        self._coming = enumerate(pieces)
        self._numbers = numbers
        self._again: deque[_Attempt] = deque()
        self.under_way: dict[int, _Attempt] = {}
        self.failures: list[tuple[int, Failure]] = []
        """The index of each failed piece, and its failure."""

    def outcomes(self, farm: Farm) -> Iterator[tuple[Piece[Any], Any]]:
        """Yield pieces and results until none is under way."""
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
