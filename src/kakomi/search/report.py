"""What a search found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One action at the root: how often it was tried and what it promises the player to act."""

    action: int
    visits: int
    value: float
    """Mean return, from -1 to 1."""
    wins: bool = False
    """Whether the rest of the player's turn is known to win the game."""


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
