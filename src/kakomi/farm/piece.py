"""A piece of work, on its way to a worker and back: the call, how it ended, what a farm needs from its
workers, and its errors, each with a message of one line.
"""

import pickle
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

MOST_NAMED = 3


class FarmError(Exception):
    """There is no farm to work on, or a piece that can't travel; the message says what would be right."""


class Failure(NamedTuple):
    """A piece that wasn't done."""

    piece: str
    """Its name."""
    reason: str


class WorkFailed(FarmError):  # noqa: N818 (what became of the work)
    """Some pieces couldn't be done; what the others came to has been handed over."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        named = "; ".join(f"{failure.piece} ({failure.reason})" for failure in failures[:MOST_NAMED])
        more = f" and {len(failures) - MOST_NAMED} more" if len(failures) > MOST_NAMED else ""
        super().__init__(f"couldn't be done: {named}{more}")
        self.failures = tuple(failures)


T = TypeVar("T")

MOST_BYTES = 1 << 20
"""Of a piece on its way, and of its result. What is larger belongs in a file, whose name travels."""


@dataclass(frozen=True, eq=False)
class Piece(Generic[T]):
    """A call that depends on its arguments and its seed alone, wherever and however often it is made."""

    name: str
    """What people call it, such as `game 7`."""
    function: Callable[..., T]
    """A function of a module, which workers import."""
    arguments: tuple[Any, ...] = ()
    seed: int | None = None
    """Handed over as `seed=`. None if the arguments hold all that is drawn by chance."""

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
    """What a piece came to."""

    value: Any


@dataclass(frozen=True)
class Fault:
    """Why a piece that came to its end has no result: it would end so again."""

    reason: str
    told: str = ""
    """The traceback, for whoever looks into it."""


@dataclass(frozen=True)
class Death:
    """A worker that was lost amid a piece, which says nothing about the piece."""

    reason: str


Outcome = Result | Fault | Death


def do(packed: bytes) -> bytes:
    """Do a piece, in a worker. The answer is a packed `Result` or `Fault`."""
    try:
        function, arguments, drawn = pickle.loads(packed)
        answer = pickle.dumps(Result(function(*arguments, **drawn)))
    except Exception as error:  # whatever is wrong with one piece, others can be done
        return pickle.dumps(Fault(_in_a_line(error), traceback.format_exc()))
    if len(answer) > MOST_BYTES:
        return pickle.dumps(Fault(f"its result is {_too_large(answer)}"))
    return answer


def unpacked(answer: bytes) -> Outcome:
    """What a worker answered; a result that can't be read here is a fault."""
    try:
        outcome: Outcome = pickle.loads(answer)
    except Exception as error:  # a class that its own pickle doesn't bring back may raise anything
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
    """Those who do pieces, which are known by numbers and come as `Piece.packed` makes them."""

    def count(self) -> int:
        """How many pieces they do at a time."""

    def room(self) -> int:
        """How many more pieces they would take."""

    def begin(self, number: int, packed: bytes) -> None:
        """Have a piece done."""

    def ended(self) -> list[tuple[int, Outcome]]:
        """Wait for pieces to end: the numbers of those that have, and how. After a while there may be none.
        A worker that died is replaced."""

    def abandon(self) -> None:
        """Stop whatever is under way, at once."""

    def close(self) -> None:
        """Let all of them go, at once."""
