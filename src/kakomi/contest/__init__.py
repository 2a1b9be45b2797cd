"""Contests: places and ratings, as pure functions from results to tables. No clock, no database.

`places` ranks the seats of a game, `Rating` is what is known of somebody's strength, `rate` learns from one
result, and `replay` from a log of results.
"""

from kakomi.contest.places import places, ranks
from kakomi.contest.rating_log import Change, Entrant, Outcome, Series, Standing, replay
from kakomi.contest.ratings import ANCHORED, FIRST, POINTS, Rating, anchor, chance, expected_place, rate

__all__ = [
    "ANCHORED",
    "FIRST",
    "POINTS",
    "Change",
    "Entrant",
    "Outcome",
    "Rating",
    "Series",
    "Standing",
    "anchor",
    "chance",
    "expected_place",
    "places",
    "ranks",
    "rate",
    "replay",
]
