"""What a search found."""

from dataclasses import dataclass


def chance_of(value: float, players: int) -> float:
    """A mean return as the share of the win that it stands for, from 0 to 1 (RULES, "Returns").

    A player with the share s of a win, 1/k if k share it, gets the return (n s - 1)/(n - 1); for two
    players this is (1 + v)/2.
    """
    return (value * (players - 1) + 1) / players


@dataclass(frozen=True)
class Line:
    """One action at the root: how often it was tried and what it promises the player to act."""

    action: int
    visits: int
    value: float
    """Mean return, from -1 to 1."""
    values: tuple[float, ...] = ()
    """Mean return of each player."""
    wins: bool = False
    """Whether it is proven to win the game."""
    loses: bool = False
    """Whether it is proven to lose the game."""
    principal: tuple[int, ...] = ()
    """The action and the best ones after it; of the best lines alone, else just the action."""


@dataclass(frozen=True)
class Report:
    """The result of a search so far."""

    action: int
    """One that is known to win, else the one tried most often, between equals with the higher value."""
    simulations: int
    """Simulations made by this call."""
    plies: int
    """Plies played by this call, in the tree and in playouts."""
    seconds: float
    values: tuple[float, ...]
    """Mean return of each player at the root, over all simulations in the tree."""
    lines: tuple[Line, ...]
    """The actions that were tried or are known to win, best first."""
    principal: tuple[int, ...]
    """The line of best actions from here on."""
    is_full: bool
    """Whether the memory limit kept the tree from growing."""
    is_proven: bool = False
    """Whether the result under best play is known; `values` are then those of the result."""

    def part_of(self, simulations: int | None, seconds: float | None) -> float:
        """How much of such limits is used up, from 0 to 1."""
        parts = (
            self.simulations / simulations if simulations else 0.0,
            self.seconds / seconds if seconds else 0.0,
        )
        return min(1.0, max(parts))
