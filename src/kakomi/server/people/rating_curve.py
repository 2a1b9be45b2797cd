"""How a rating came about, as a curve."""

from dataclasses import dataclass
from functools import cached_property

from kakomi.server.ratings import selectors
from kakomi.server.ratings.presenters import PoolView
from kakomi.server.ratings.selectors import PersonRating

MOST_POINTS = 200
"""Of a curve: the last results."""
WIDTH, HEIGHT = 300.0, 80.0


@dataclass(frozen=True)
class RatingCurve:
    """A rating with what it was after each of its results, the first one first."""

    rating: PersonRating
    means: tuple[float, ...]

    @staticmethod
    def of(rating: PersonRating) -> "RatingCurve":
        """The curve of a rating as it is known now."""
        history = selectors.history_of(rating.guest, rating.pool)[:MOST_POINTS]
        return RatingCurve(rating, tuple(entrant.change.mean_after for entrant in history)[::-1])

    @property
    def pool(self) -> PoolView:
        """What it is a rating in."""
        return PoolView(self.rating.pool)

    @property
    def words(self) -> str:
        """The rating with its band: `1,540 ± 80`."""
        return f"{self.rating.mean:.0f} ± {self.rating.reach:.0f}"

    @property
    def lowest(self) -> int:
        """The lowest value of the curve, in points."""
        return round(min(self.means))

    @property
    def highest(self) -> int:
        """The highest value of the curve, in points."""
        return round(max(self.means))

    @cached_property
    def points(self) -> str:
        """The corners of the curve as SVG has them, in a box of 300 by 80."""
        low, high = min(self.means), max(self.means)
        across, up = WIDTH / max(1, len(self.means) - 1), (HEIGHT - 8) / ((high - low) or 1.0)
        heights = (HEIGHT - 4 - (mean - low) * up for mean in self.means)
        return " ".join(f"{number * across:.1f},{height:.1f}" for number, height in enumerate(heights))
