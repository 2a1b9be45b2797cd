"""Leagues of simulated players of known strength, and logs of games between random players."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.contest import FIRST, POINTS, Entrant, Outcome, Rating, rate
from kakomi.contest.ratings import WIDENING


@dataclass
class League:
    """Players' true strengths and their ratings."""

    strengths: list[float]
    ratings: list[Rating]

    @property
    def coverage(self) -> float:
        """The share of the 95 % intervals that contain the true strength."""
        pairs = zip(self.strengths, self.ratings, strict=True)
        return sum(rating.low <= strength <= rating.high for strength, rating in pairs) / len(self.ratings)

    @property
    def drift(self) -> float:
        """The shift of the mean of all ratings, in units of the initial sigma."""
        mean = sum(rating.mean for rating in self.ratings) / len(self.ratings)
        return (mean - FIRST.mean) / FIRST.sigma

    @property
    def error(self) -> float:
        """The root mean square of the ratings' errors, in points."""
        pairs = zip(self.strengths, self.ratings, strict=True)
        return math.sqrt(sum((s - r.mean) ** 2 for s, r in pairs) / len(self.ratings))


def places_of(strengths: Sequence[float], draw: random.Random, draws: float = 0.0) -> list[int]:
    """The places in a game; performances in the same interval of `draws` points share a place."""
    performances = [s - POINTS * math.log(-math.log(draw.random())) for s in strengths]
    if draws:
        performances = [round(p / draws) for p in performances]
    return [1 + sum(other > own for other in performances) for own in performances]


def play_league(sizes: Sequence[int], *, players: int, rounds: int, seed: int, days: float = 0.0) -> League:
    """A league with random pairings. With `days` between rounds, strengths change as the rating model
    assumes."""
    draw = random.Random(seed)
    strengths = [draw.gauss(0, FIRST.sigma) for _ in range(players)]
    centre = FIRST.mean - sum(strengths) / players
    league = League([s + centre for s in strengths], [FIRST] * players)
    for _ in range(rounds):
        if days:
            change = math.sqrt(WIDENING * days)
            league.strengths = [s + draw.gauss(0, change) for s in league.strengths]
            league.ratings = [r.after_days(days) for r in league.ratings]
        free = list(range(players))
        draw.shuffle(free)
        while len(free) >= max(sizes):
            seats = [free.pop() for _ in range(draw.choice(sizes))]
            places = places_of([league.strengths[i] for i in seats], draw)
            for i, rating in zip(seats, rate([league.ratings[i] for i in seats], places), strict=True):
                league.ratings[i] = rating
    return league


def random_log(games: int, *, players: int, sizes: Sequence[int], seed: int) -> list[Outcome[int]]:
    """A log of games between random players, an hour apart."""
    draw = random.Random(seed)
    log = []
    for number in range(games):
        seats = draw.sample(range(players), draw.choice(sizes))
        places = places_of([0.0] * len(seats), draw)
        entrants = [Entrant(seat, place) for seat, place in zip(seats, places, strict=True)]
        log.append(Outcome(3600.0 * number, entrants))
    return log
