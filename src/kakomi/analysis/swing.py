"""What a mistake changed on the board: the points that it cost, and where most of them lie."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kakomi.core import Position
from kakomi.core.i18n import LazyMessage, lazy_plural
from kakomi.search.report import Ownership

LOOKAHEAD = 4
"""How many actions of both lines are played, to the end of a turn, before playouts estimate the owners.

Playouts right after a mistake miss what good play makes of it. Further ahead, more depends on the line.
"""
CERTAIN = 2.0
"""The number of standard errors above zero from which a cost counts."""
CHANGED = 0.2
"""The least share of a point, as a change of its likely owners, that makes it part of a region."""
LEAST_REGION = 2.0
"""The least sum of these shares over a region that is worth naming."""


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
    left = {point for point, share in enumerate(taken) if share >= CHANGED}
    region: set[int] = set()
    while left:
        found = game.geometry.reached([min(left)], left)
        left -= found
        region = max(region, found, key=lambda points: math.fsum(taken[point] for point in points))
    if math.fsum(taken[point] for point in region) < LEAST_REGION:
        return Swing(cost, error, (), "")
    places, names = game.geometry.places, game.geometry.names
    middle = np.average(
        [places[point] for point in region], axis=0, weights=[taken[point] for point in region]
    )
    centre = min(sorted(region), key=lambda point: math.dist(places[point], middle))
    return Swing(cost, error, tuple(names[point] for point in sorted(region)), names[centre])
