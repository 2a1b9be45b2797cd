"""How far ratings can be believed: simulated players of known strength, and a log of 100,000 games.

    python -m benchmarks.ratings

prints, for games of 2 to 6, how many of the 95 % intervals hold the true strength and by how much the mean of
all ratings drifts, beside openskill's, and how long a long log takes. tests/contest/test_calibration.py asks
the same of smaller leagues.
"""

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kakomi.contest import FIRST, POINTS, Entrant, Outcome, Rating, rate, replay
from kakomi.contest.ratings import WIDENING

Rule = Callable[[Sequence[Rating], Sequence[int]], list[Rating]]


@dataclass
class League:
    """Players whose strengths are known, and what their ratings say."""

    strengths: list[float]
    ratings: list[Rating]

    @property
    def coverage(self) -> float:
        """The share of the 95 % intervals that hold the true strength."""
        pairs = zip(self.strengths, self.ratings, strict=True)
        return sum(rating.low <= strength <= rating.high for strength, rating in pairs) / len(self.ratings)

    @property
    def drift(self) -> float:
        """By how much the mean of all ratings has moved, in first sigmas."""
        mean = sum(rating.mean for rating in self.ratings) / len(self.ratings)
        return (mean - FIRST.mean) / FIRST.sigma

    @property
    def error(self) -> float:
        """The root mean square of the ratings' errors, in points."""
        pairs = zip(self.strengths, self.ratings, strict=True)
        return math.sqrt(sum((s - r.mean) ** 2 for s, r in pairs) / len(self.ratings))


def places_of(strengths: Sequence[float], draw: random.Random, draws: float = 0.0) -> list[int]:
    """The places of a game; with `draws`, performances that are so close (in points) share one."""
    performances = [s - POINTS * math.log(-math.log(draw.random())) for s in strengths]
    if draws:
        performances = [round(p / draws) for p in performances]
    return [1 + sum(other > own for other in performances) for own in performances]


def play_league(
    sizes: Sequence[int], *, players: int, rounds: int, seed: int, rule: Rule = rate, days: float = 0.0
) -> League:
    """A league in which everybody meets others by lot. With `days` between rounds, strengths change as the
    ratings suppose that they do."""
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
            for i, rating in zip(seats, rule([league.ratings[i] for i in seats], places), strict=True):
                league.ratings[i] = rating
    return league


def openskill_rule() -> Rule:
    """openskill's Plackett-Luce as it comes, on the same scale."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=FIRST.mean, sigma=FIRST.sigma, beta=POINTS / math.sqrt(2), tau=0.0)

    def rule(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
        # its chances depend on exp(mu / c): differences alone count, so that means may be about 0
        teams = [[model.rating(mu=r.mean - FIRST.mean, sigma=r.sigma)] for r in ratings]
        rated = model.rate(teams, ranks=list(map(float, places)))
        return [Rating(FIRST.mean + float(team[0].mu), float(team[0].sigma)) for team in rated]

    return rule


def random_log(games: int, *, players: int, sizes: Sequence[int], seed: int) -> list[Outcome[int]]:
    """A log of games between random players, an hour from one to the next."""
    draw = random.Random(seed)
    log = []
    for number in range(games):
        seats = draw.sample(range(players), draw.choice(sizes))
        places = places_of([0.0] * len(seats), draw)
        entrants = [Entrant(seat, place) for seat, place in zip(seats, places, strict=True)]
        log.append(Outcome(3600.0 * number, entrants))
    return log


def _coverage_table() -> None:
    print("| seats | rounds | intervals that hold (95 %) | drift | openskill: intervals | drift |")
    print("| --- | --- | --- | --- | --- | --- |")
    for sizes in ([2], [3], [4], [5], [6], [2, 3, 4, 5, 6]):
        for rounds in (1, 5, 20, 60):
            own = play_league(sizes, players=600, rounds=rounds, seed=1)
            its = play_league(sizes, players=600, rounds=rounds, seed=1, rule=openskill_rule())
            seats = "2 to 6" if len(sizes) > 1 else str(sizes[0])
            print(
                f"| {seats} | {rounds} | {own.coverage:.1%} | {own.drift:+.2%} | {its.coverage:.1%} "
                f"| {its.drift:+.2%} |",
                flush=True,
            )


def _speed_table() -> None:
    print("| 100,000 games of | seconds |\n| --- | --- |")
    for sizes in ([2], [3], [6]):
        log = random_log(100_000, players=2_000, sizes=sizes, seed=1)
        start = time.process_time()
        for _ in replay(log, {}, {}):
            pass
        print(f"| {sizes[0]} | {time.process_time() - start:.1f} |", flush=True)


if __name__ == "__main__":
    _coverage_table()
    _speed_table()
