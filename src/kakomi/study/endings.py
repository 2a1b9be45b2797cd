"""Solved endings: where an action can throw away the result that best play guarantees."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.analysis.move import Ply
from kakomi.core import Position
from kakomi.solve import BudgetSpentError, Prover, check_provable


@dataclass(frozen=True)
class CriticalPosition:
    """A position whose actions lead to different results under best play, from the acting player's view."""

    position: Position
    left: int
    """Actions left in the game as it was played, including the one at this position."""
    results: dict[int, int]
    """Action → 1 for a win, 0 for a draw, −1 for a loss."""

    def throws_away(self, action: int) -> bool:
        """Whether another action has a better result."""
        return self.results[action] < max(self.results.values())

    @property
    def chance(self) -> float:
        """The share of legal actions that throw the result away: the blunder rate of random play."""
        return sum(map(self.throws_away, self.results)) / len(self.results)


@dataclass(frozen=True)
class Examined:
    """The critical positions found in a game, working back from its end."""

    critical: tuple[CriticalPosition, ...]
    """The last one first."""
    positions: int
    """Positions whose results are known, critical or not."""
    is_cut_short: bool
    """Whether the budget ran out, or the search was stopped, before all requested positions were solved."""


def examined(
    line: Sequence[Position],
    most: int,
    budget: int,
    goes_on: Callable[[float], bool] = lambda part: True,
) -> Examined:
    """Find the critical positions near the end of a two-player game.

    `line` holds every position of the game, including the last. Up to `most` positions before the last are
    examined, as far back as the solver gets within `budget` positions in all. `goes_on` is called many times
    a second with the fraction of the budget spent, and returns whether to go on.
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


@dataclass(frozen=True)
class Choice:
    """An action played in a critical position."""

    ply: Ply
    critical: CriticalPosition

    @property
    def best(self) -> int:
        """The best result possible: 1 for a win, 0 for a draw."""
        return max(self.critical.results.values())

    @property
    def played(self) -> int:
        """The result of the action that was played: 1, 0 or −1."""
        return self.critical.results[self.ply.action]

    @property
    def is_thrown_away(self) -> bool:
        """Whether another action had a better result."""
        return self.played < self.best

    @property
    def keeping(self) -> list[str]:
        """The actions that keep the best result."""
        texts = self.ply.before.game.action_texts
        return [texts[action] for action, result in self.critical.results.items() if result == self.best]


@dataclass(frozen=True)
class Ending:
    """The final actions of a game, all with proved results."""

    proved: Sequence[Ply]
    """In the order played; empty if the solver couldn't prove even the last one."""
    choices: tuple[Choice, ...]
    """Those played in critical positions."""

    @property
    def thrown_away(self) -> list[Choice]:
        """The choices that threw the result away."""
        return [choice for choice in self.choices if choice.is_thrown_away]

    def as_data(self) -> dict[tuple[int, int], dict[str, Any]]:
        """(turn, place in it) → the best result, the one played, and the actions that keep the best."""
        return {
            (choice.ply.turn, choice.ply.place): {
                "best": choice.best,
                "played": choice.played,
                "keeping": choice.keeping,
            }
            for choice in self.choices
        }


def proved_ending(
    plies: Sequence[Ply], budget: int, goes_on: Callable[[float], bool] = lambda part: True
) -> Ending:
    """Prove the end of a two-player game, as far back as the solver gets within `budget` positions.

    `goes_on` is called many times a second with the fraction of the budget spent, and returns whether to go
    on. Raises ValueError if the game has more than two players or can't be solved.
    """
    if not plies:
        return Ending((), ())
    check_provable(plies[0].before.game)
    line = [plies[0].before, *(ply.after for ply in plies)]
    found = examined(line, len(plies), budget, goes_on)
    choices = tuple(Choice(plies[-one.left], one) for one in reversed(found.critical))
    return Ending(plies[len(plies) - found.positions :], choices)
