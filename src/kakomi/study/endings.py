"""The ends of games as the solver knows them: where an action can throw away what best play makes sure of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.core import Position
from kakomi.solve import BudgetSpentError, Prover, check_provable
from kakomi.study.analysis.move import Ply


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


@dataclass(frozen=True)
class Choice:
    """An action of the game, played where something could be thrown away."""

    ply: Ply
    critical: CriticalPosition

    @property
    def best(self) -> int:
        """What could be kept: 1 for a win, 0 for a draw."""
        return max(self.critical.results.values())

    @property
    def played(self) -> int:
        """What the action that was played comes to: 1, 0 or −1."""
        return self.critical.results[self.ply.action]

    @property
    def is_thrown_away(self) -> bool:
        """Whether it comes to less than another would have."""
        return self.played < self.best

    @property
    def keeping(self) -> list[str]:
        """The actions that keep it."""
        texts = self.ply.before.game.action_texts
        return [texts[action] for action, result in self.critical.results.items() if result == self.best]


@dataclass(frozen=True)
class Ending:
    """The last actions of a game whose results are all proved."""

    proved: Sequence[Ply]
    """In the order played; none if the solver didn't come even there."""
    choices: tuple[Choice, ...]
    """Those of them in whose positions something could be thrown away."""

    @property
    def thrown_away(self) -> list[Choice]:
        """Where something was."""
        return [choice for choice in self.choices if choice.is_thrown_away]

    def as_data(self) -> dict[tuple[int, int], dict[str, Any]]:
        """For each proved choice, by turn and place, what could be kept, what was, and by which actions."""
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
    """The end of a game for two players, as far back as the solver comes with so many positions.

    `goes_on` is called many times a second with the part of the budget that is spent, and says whether to go
    on. Raises ValueError for a game of more players, or one that can't be solved.
    """
    if not plies:
        return Ending((), ())
    check_provable(plies[0].before.game)
    line = [plies[0].before, *(ply.after for ply in plies)]
    found = examined(line, len(plies), budget, goes_on)
    choices = tuple(Choice(plies[-one.left], one) for one in reversed(found.critical))
    return Ending(plies[len(plies) - found.positions :], choices)
