"""Why positions are no puzzles: what a search counts, so that it tells what few puzzles are due to."""

from collections import Counter
from enum import Enum


class Reason(Enum):
    """Why a position is no puzzle, in words that go behind a number of positions."""

    NO_CHOICE = "with one turn only"
    TOO_MANY_TURNS = "with too many turns to look at all"
    OVER_BUDGET = "that took more than the budget"
    NO_WIN = "without a win"
    ALL_WIN = "in which every turn wins"
    MANY_WIN = "in which more turns win than asked for"
    FOUND_BY_BOTS = "in which the lowest level finds a turn that wins"


def in_words(tally: Counter[Reason]) -> str:
    """How often each reason came up, the most frequent first; empty without any."""
    return ", ".join(f"{count:,} {reason.value}" for reason, count in tally.most_common())
