"""Positions of a game in which an action can throw away what best play makes sure of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kakomi.core import Position
from kakomi.solve import BudgetSpentError, Prover


@dataclass(frozen=True)
class CriticalPosition:
    """A position with the result of each action under best play, as who acts sees it; they differ."""

    position: Position
    left: int
    """Actions that the game still had as it went on, this one included."""
    results: dict[int, int]
    """1 for a win, 0 for a draw, −1 for a loss."""

    def throws_away(self, action: int) -> bool:
        """Whether an action comes to less than another."""
        return self.results[action] < max(self.results.values())

    @property
    def chance(self) -> float:
        """The share of legal actions that throw something away: how often random play does."""
        return sum(map(self.throws_away, self.results)) / len(self.results)


@dataclass(frozen=True)
class Examined:
    """What was found in a game, from its end backwards."""

    critical: tuple[CriticalPosition, ...]
    """The last one first."""
    positions: int
    """Positions whose results are known, those included in which nothing can be thrown away."""
    is_cut_short: bool
    """Whether the budget was spent, or the work stopped, before all positions that were wanted had been
    looked at."""


def examined(
    line: Sequence[Position],
    most: int,
    budget: int,
    goes_on: Callable[[float], bool] = lambda part: True,
) -> Examined:
    """The critical ones among the last positions of a game for two players.

    `line` has every position of the game, the last one included; at most `most` before it are looked at, as
    far back as the solver comes with so many positions in all. `goes_on` is called many times a second with
    the part of the budget that is spent, and says whether to go on.
    """
    before = line[max(0, len(line) - 1 - most) : -1]
    if not before:
        return Examined((), 0, False)
    prover = Prover(before[0], budget, lambda: goes_on(min(1.0, prover.spent / budget)))
    found: list[CriticalPosition] = []
    for left, position in enumerate(reversed(before), 1):
        try:
            results = prover.results(position)
        except BudgetSpentError:
            return Examined(tuple(found), left - 1, True)
        if len(set(results.values())) > 1:
            found.append(CriticalPosition(position, left, results))
    return Examined(tuple(found), len(before), False)
