"""A piece of work: the call, its outcome, the protocol of a farm's workers, and errors, each with a message
of one line.
"""

import pickle
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

MOST_NAMED = 3


class FarmError(Exception):
    """A farm can't be used, or a piece can't be sent; the message says what would be valid."""


class Failure(NamedTuple):
    """A piece that couldn't be done."""

    piece: str
    """The name of the piece."""
    reason: str


class WorkFailed(FarmError):  # noqa: N818 (what became of the work)
    """Some pieces couldn't be done; the results of the others have been yielded."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        named = "; ".join(f"{failure.piece} ({failure.reason})" for failure in failures[:MOST_NAMED])
        more = f" and {len(failures) - MOST_NAMED} more" if len(failures) > MOST_NAMED else ""
        super().__init__(f"couldn't be done: {named}{more}")
        self.failures = tuple(failures)


T = TypeVar("T")

MOST_BYTES = 1 << 20
"""The size limit of a packed piece, and of its result. Put larger data in a file, and send its name."""


@dataclass(frozen=True, eq=False)
class Piece(Generic[T]):
    """A call whose result depends only on its arguments and seed, so that any worker can repeat it."""

    name: str
    """A name for people, such as `game 7`."""
    function: Callable[..., T]
    """A module-level function, which workers import."""
    arguments: tuple[Any, ...] = ()
    seed: int | None = None
    """Passed as `seed=`; None if the function doesn't take a seed."""

    def packed(self) -> bytes:
        """The call as bytes, for `do`. Raises FarmError if it can't be sent, or is too large."""
        drawn = {} if self.seed is None else {"seed": self.seed}
        try:
            data = pickle.dumps((self.function, self.arguments, drawn))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise FarmError(f"{self.name} can't be sent to a worker: {error}") from None
        if len(data) > MOST_BYTES:
            raise FarmError(f"{self.name} is {_too_large(data)}")
        return data


@dataclass(frozen=True)
class Result:
    """The result of a piece."""

    value: Any


@dataclass(frozen=True)
class Fault:
    """Why a finished piece has no result; a retry would fail again."""

    reason: str
    told: str = ""
    """The traceback."""


@dataclass(frozen=True)
class Death:
    """A worker was lost while doing a piece, which isn't necessarily the piece's fault."""

    reason: str


Outcome = Result | Fault | Death


def do(packed: bytes) -> bytes:
    """Do a packed piece in a worker, and return a packed `Result` or `Fault`."""
    try:
        function, arguments, drawn = pickle.loads(packed)
        answer = pickle.dumps(Result(function(*arguments, **drawn)))
    except Exception as error:  # one piece's error must not end the worker
        return pickle.dumps(Fault(_in_a_line(error), traceback.format_exc()))
    if len(answer) > MOST_BYTES:
        return pickle.dumps(Fault(f"its result is {_too_large(answer)}"))
    return answer


def unpacked(answer: bytes) -> Outcome:
    """The outcome in a worker's answer; a result that can't be unpickled here is a `Fault`."""
    try:
        outcome: Outcome = pickle.loads(answer)
    except Exception as error:  # unpickling may raise anything
        return Fault(f"its result can't be read: {_in_a_line(error)}")
    return outcome


def _too_large(data: bytes) -> str:
    return (
        f"{len(data) / MOST_BYTES:.1f} MB, and at most {MOST_BYTES >> 20} MB travel: "
        "put large data into a file, and pass its name"
    )


def _in_a_line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


class Workers(Protocol):
    """Workers that do packed pieces, which are identified by numbers."""

    def count(self) -> int:
        """The number of pieces that they do at a time."""

    def room(self) -> int:
        """The number of further pieces that they can take."""

    def begin(self, number: int, packed: bytes) -> None:
        """Start a piece."""

    def ended(self) -> list[tuple[int, Outcome]]:
        """Wait for pieces to end, and return their numbers and outcomes; empty after a timeout. Replaces dead
        workers."""

    def abandon(self) -> None:
        """Stop all running pieces immediately."""

    def close(self) -> None:
        """End all workers immediately."""
