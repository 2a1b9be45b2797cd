"""How much an analysis searches."""

from dataclasses import dataclass, replace

SIMULATIONS = 5_000
"""A position, unless somebody asks for something else: a game on a default board takes about a minute on
two cores."""


@dataclass(frozen=True)
class PositionLimits:
    """The limits of the search of each position, simulations or seconds or both, and the seed of it all.

    Raises ValueError if there is no limit.
    """

    simulations: int | None = None
    seconds: float | None = None
    seed: int = 1

    def __post_init__(self) -> None:
        if self.simulations is None and self.seconds is None:
            raise ValueError("an analysis needs a limit: simulations or seconds a position")

    def times(self, factor: int) -> "PositionLimits":
        """So many times as long a search."""
        return replace(
            self,
            simulations=None if self.simulations is None else self.simulations * factor,
            seconds=None if self.seconds is None else self.seconds * factor,
        )
