"""What likely owners say: what a mistake cost and where, and which part of the board is undecided."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Game, Position
from kakomi.core.i18n import LazyMessage, lazy_plural
from kakomi.search.report import Ownership

LOOKAHEAD = 4
"""How many actions of both lines are played, to the end of a turn, before playouts estimate the owners.

Playouts right after a mistake miss what good play makes of it. Further ahead, more depends on the line.
"""
CERTAIN = 2.0
"""The number of standard errors above zero from which a loss counts, in chance or in points."""
CHANGED = 0.2
"""The least share of a point, as a change of its likely owners, that makes it part of a region."""
OPEN = 0.3
"""The least share by which a point isn't its likeliest owner's, from which its owner is open."""
LEAST_REGION = 2.0
"""The least sum of such shares over a region that is worth naming."""


@dataclass(frozen=True)
class Swing:
    """How the likely result after a mistake differs from that after the better action."""

    cost: float
    """How far the expected lead of the player fell, in points."""
    error: float
    """Standard error of `cost`, from the number of playouts."""
    region: tuple[str, ...]
    """The connected points where the most changes owner; empty if no part of the board stands out."""
    centre: str
    """The point in the middle of the region; empty without one."""

    @property
    def in_words(self) -> LazyMessage:
        """The cost as a sentence."""
        count = round(self.cost)
        if not self.centre:
            return lazy_plural(
                "It cost about {count} point of the score.",
                "It cost about {count} points of the score.",
                count=count,
            )
        return lazy_plural(
            "It cost about {count} point of the score, most of all around {point}.",
            "It cost about {count} points of the score, most of all around {point}.",
            count=count,
            point=self.centre,
        )


def line_ends(before: Position, played: Sequence[int], better: Sequence[int]) -> tuple[Position, Position]:
    """The positions in which two lines are compared, after about `LOOKAHEAD` actions of each."""
    length = min(LOOKAHEAD, len(played), len(better))
    return _at_end(before, played, length), _at_end(before, better, length)


def _at_end(position: Position, line: Sequence[int], length: int) -> Position:
    for place, action in enumerate(line):
        if position.is_over or (place >= length and position.is_between_turns):
            break
        position = position.play_action(action)
    return position


def swing_of(before: Position, played: Ownership, better: Ownership) -> Swing | None:
    """What an action played from `before` cost, by the owners at both `line_ends`; None if it isn't clear."""
    game, player = before.game, before.to_move
    cost = float(better.lead[player] - played.lead[player])
    variances = [float(each.spread[player]) ** 2 / max(1, each.playouts) for each in (played, better)]
    error = math.sqrt(math.fsum(variances)) / game.description.lead_spread
    if round(cost) < 1 or cost <= CERTAIN * error:
        return None
    change = played.owner - better.owner
    gains = change.sum(axis=0)
    gains[player] = -np.inf
    taken = ((change[:, gains.argmax()] - change[:, player]) / 2).tolist()
    region, centre = _largest_region(game, taken, CHANGED)
    return Swing(cost, error, tuple(game.geometry.names[point] for point in sorted(region)), centre)


def undecided(game: Game, owned: Ownership) -> str:
    """The point in the middle of the largest region that is open; empty if there is none, if it is half of
    the board or more, or if only leads are known."""
    if not len(owned.owner):
        return ""
    shares = np.append(owned.owner, 1 - owned.owner.sum(axis=1, keepdims=True), axis=1).max(axis=1)
    region, centre = _largest_region(game, (1 - shares).tolist(), OPEN)
    return centre if len(region) < game.geometry.points / 2 else ""


def _largest_region(game: Game, amounts: Sequence[float], least: float) -> tuple[set[int], str]:
    """The connected points with at least an amount whose sum is the largest, and the name of the point in
    their middle; nothing if the sum is below `LEAST_REGION`."""
    places, region = game.geometry.places, set[int]()
    left = {point for point, amount in enumerate(amounts) if amount >= least}
    while left:
        found = game.geometry.reached([min(left)], left)
        left -= found
        region = max(region, found, key=lambda points: math.fsum(amounts[point] for point in points))
    if math.fsum(amounts[point] for point in region) < LEAST_REGION:
        return set(), ""
    weights = [amounts[point] for point in region]
    middle = np.average([places[point] for point in region], axis=0, weights=weights)
    centre = min(sorted(region), key=lambda point: math.dist(places[point], middle))
    return region, game.geometry.names[centre]
