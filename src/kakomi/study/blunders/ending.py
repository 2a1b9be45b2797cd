"""The end of a recorded game as the solver knows it: what could be kept, and what was thrown away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kakomi.solve import check_provable
from kakomi.study.analysis.move import Ply
from kakomi.study.blunders.critical import CriticalPosition, examined


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
