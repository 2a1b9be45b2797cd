"""Errors of a farm, each with a message of one line."""

from collections.abc import Sequence
from typing import NamedTuple

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
