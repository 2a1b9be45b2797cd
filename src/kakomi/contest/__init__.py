"""Contests: places and ratings as pure functions of results, without clock or database.

`places` ranks the seats of a game, `Rating` is an estimate of a player's strength, `rate` updates ratings
after one result, and `replay` after each result of a log.
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
