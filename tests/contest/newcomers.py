"""Simulated newcomers: how fast their ratings find their strength, and how far the first game moves them.

`python -m tests.contest.newcomers` prints the table of docs/ratings.md, and with `MEAN SIGMA` the same for
another first rating.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

from kakomi import catalog
from kakomi.contest import FIRST, Rating, anchor, rate
from kakomi.contest.ratings import POINTS

KINDS = {"beginner": (0.6, 1150.0, 150.0), "player": (0.3, 1450.0, 150.0), "expert": (0.1, 1900.0, 200.0)}
"""Kind of newcomer -> its share, and the mean and sigma of its strengths, in points."""
GAMES = 40
BOT_GAMES = 0.5
"""The share of games against bots."""


@dataclass
class Newcomer:
    """A simulated person."""

    kind: str
    strength: float
    ratings: list[Rating] = field(default_factory=list)
    """The first rating, and the one after each game."""

    @property
    def rating(self) -> Rating:
        """The current rating."""
        return self.ratings[-1]

    def error_after(self, games: int) -> float:
        """How far the rating after some games is from the strength."""
        return abs(self.ratings[games].mean - self.strength)


@dataclass
class Crowd:
    """Newcomers after all their games."""

    people: Sequence[Newcomer]

    @property
    def largest_first_step(self) -> float:
        """The largest change by a first game."""
        return max(abs(one.ratings[1].mean - one.ratings[0].mean) for one in self.people)

    def error(self, games: int, kind: str = "") -> float:
        """The mean distance of ratings from strengths after some games."""
        return fmean(one.error_after(games) for one in self.people if kind in ("", one.kind))

    def bias(self, games: int) -> float:
        """The mean of ratings less the mean of strengths."""
        return fmean(one.ratings[games].mean - one.strength for one in self.people)

    def coverage(self, games: int) -> float:
        """The share of 95 % intervals that contain the strength."""
        held = [one.ratings[games].low <= one.strength <= one.ratings[games].high for one in self.people]
        return sum(held) / len(held)

    def reach(self, games: int) -> float:
        """The mean half-width of the intervals."""
        return fmean(one.ratings[games].reach for one in self.people)


def simulate(first: Rating = FIRST, *, people: int = 200, seed: int = 1, game: str = "lin") -> Crowd:
    """Have newcomers play, in rounds, bots near their rating and each other."""
    draw = random.Random(seed)
    levels = [anchor(level.elo) for level in catalog.describe(game).levels if level.elo is not None]
    kinds = [kind for kind, (share, *_) in KINDS.items() for _ in range(round(share * people))]
    crowd = [Newcomer(kind, draw.gauss(*KINDS[kind][1:]), [first]) for kind in kinds]
    for _ in range(GAMES):
        for_bots = [one for one in crowd if draw.random() < BOT_GAMES]
        others = [one for one in crowd if one not in for_bots]
        if len(others) % 2:
            for_bots.append(others.pop())
        others.sort(key=lambda one: one.rating.mean + draw.gauss(0, 150))
        for one in for_bots:
            level = min(levels, key=lambda level: abs(level.mean - one.rating.mean + draw.gauss(0, 150)))
            bot_strength = draw.gauss(level.mean, 30)
            places = (1, 2) if _wins(one.strength, bot_strength, draw) else (2, 1)
            one.ratings.append(rate([one.rating, level], places)[0])
        for one, other in zip(others[::2], others[1::2], strict=True):
            places = (1, 2) if _wins(one.strength, other.strength, draw) else (2, 1)
            for who, rated in zip((one, other), rate([one.rating, other.rating], places), strict=True):
                who.ratings.append(rated)
    return Crowd(crowd)


def _wins(strength: float, other: float, draw: random.Random) -> bool:
    return draw.random() < 1 / (1 + 10 ** ((other - strength) / (POINTS * 2.302585)))


def _table(first: Rating) -> None:
    crowd = simulate(first)
    step = crowd.largest_first_step
    print(f"first rating {first.mean:.0f} ± {first.reach:.0f}: largest first step {step:.0f}")
    print(f"{'games':>8}{'error':>8}{'bias':>8}{'reach':>8}{'held':>8}" + "".join(f"{k:>10}" for k in KINDS))
    for games in (0, 1, 5, 10, 20, GAMES):
        by_kind = "".join(f"{crowd.error(games, kind):10.0f}" for kind in KINDS)
        print(
            f"{games:8}{crowd.error(games):8.0f}{crowd.bias(games):8.0f}{crowd.reach(games):8.0f}"
            f"{crowd.coverage(games):8.0%}{by_kind}"
        )


if __name__ == "__main__":
    _table(Rating(*map(float, sys.argv[1:3])) if len(sys.argv) > 2 else FIRST)
