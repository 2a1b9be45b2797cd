"""Counts that are unlikely by chance: pure statistics, which say what to look at first and prove nothing.

Everything is measured in bits of surprise: a result of 10 bits is as rare as ten heads in succession. Who
looks at a thousand people finds one such by chance alone. So a finding is asked for `LEAST_BITS`, and is a
reason to look and never one to decide. `docs/moderation.md` has how often innocent people are found.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from kakomi.study.report.estimates import tail

LEAST_BITS = 14.0
"""Fewer are no finding: among 16,000 people chance alone brings one so rare."""
MOST_BITS = 60.0
"""More are not told apart: then it isn't chance, and what it is staff have to see."""
LEAST_GAMES = 5
"""Fewer say nothing, however they ended."""
LEAST_TURNS = 5
"""A game of somebody beside level 10 with fewer turns that say something isn't counted."""
REPORT_BITS, GUEST_BITS, APPEAL_BITS = 6.0, 3.0, 40.0
"""What a reporter with an account, one without, and an appeal that waits add to a place in the queue."""


@dataclass(frozen=True)
class Surprise:
    """A count, what chance would bring, and how rarely it brings as much."""

    count: int
    of: int
    expected: float
    """The count that is expected of chance alone."""
    low: float
    high: float
    """The exact 95 % interval of the share (Clopper and Pearson), for independent trials of one chance."""
    bits: float

    @property
    def is_finding(self) -> bool:
        """Whether it is rare enough to be looked at."""
        return self.of >= LEAST_GAMES and self.bits >= LEAST_BITS


def time_outs(lost_by_time: Sequence[bool], site_share: float) -> Surprise:
    """Games of somebody, whether their time was up in each, beside the share of the whole site.

    `site_share` is 0 to 1, and is best counted among all others. Raises ValueError for another number.
    """
    if not 0 <= site_share <= 1:
        raise ValueError(f"a share is between 0 and 1, not {site_share}")
    count, of = sum(lost_by_time), len(lost_by_time)
    share = max(site_share, 1 / (2 * (of + 1)))  # a site on which nobody ever ran out of time says little
    low, high = interval(count, of)
    return Surprise(count, of, of * share, low, high, _bits(tail(count, of, share)))


def only_lose_to_each_other(together: Sequence[float], elsewhere: Sequence[float], losses: int) -> Surprise:
    """Two accounts that have lost no game but to each other.

    `together` has the chance of a loss in each of their games with each other that one of them lost, and
    says how many there are; `elsewhere` the chance of a loss in each game that either played against somebody
    else, by ratings before that game; `losses` how many of those were lost. With a loss elsewhere there is no
    surprise.
    """
    of = len(elsewhere)
    low, high = interval(losses, of)
    rare = math.fsum(-math.log2(max(1 - min(chance, 1.0), 1e-12)) for chance in elsewhere)
    is_odd = losses == 0 and len(together) >= LEAST_GAMES
    return Surprise(losses, of, math.fsum(elsewhere), low, high, min(rare, MOST_BITS) if is_odd else 0.0)


@dataclass(frozen=True)
class Agreement:
    """A game of somebody beside level 10: the turns that agree with it, of those looked at."""

    agreed: int
    turns: int
    expected: float
    """The turns that would agree in a game of an honest player of their rating, 0 to `turns`."""


def agreement(games: Sequence[Agreement]) -> Surprise:
    """How far somebody agrees with level 10 beyond what their rating explains.

    Turns of one game hang together: an easy game is easy throughout. So games are what is counted, by a
    t-test of each game's excess; with fewer than `LEAST_GAMES` there is no surprise.
    """
    agreed, turns = sum(game.agreed for game in games), sum(game.turns for game in games)
    low, high = interval(agreed, turns)
    expected = math.fsum(game.expected for game in games)
    excess = [(game.agreed - game.expected) / game.turns for game in games if game.turns]
    bits = _bits(_t_tail(excess)) if len(excess) >= LEAST_GAMES else 0.0
    return Surprise(agreed, turns, expected, low, high, bits)


def weight(accounts: int, guests: int, surprises: Sequence[float], *, has_appeal: bool) -> float:
    """A case's place in the queue, in bits: the rarest finding, and what those who report add."""
    found = max(surprises, default=0.0)
    return found + REPORT_BITS * accounts + GUEST_BITS * guests + (APPEAL_BITS if has_appeal else 0.0)


def interval(count: int, of: int, level: float = 0.95) -> tuple[float, float]:
    """The exact interval of a share (Clopper, Pearson: Biometrika 26, 1934); 0 to 1 of nothing."""
    if of == 0:
        return 0.0, 1.0
    rest = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda share: tail(count, of, share) - rest)
    high = 1.0 if count == of else _solve(lambda share: rest - tail(of - count, of, 1 - share))
    return low, high


def _solve(rising: Callable[[float], float]) -> float:
    """Where a rising function of a share is zero, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2


def _t_tail(values: Sequence[float]) -> float:
    """The chance of as large a mean by chance alone, by Student's distribution, as Wallace brings it
    near the normal one (Annals of Mathematical Statistics 30, 1959)."""
    count = len(values)
    mean = math.fsum(values) / count
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    # A few games that agree alike have no variance to speak of: it is taken to be one turn in 20 at least.
    error = math.sqrt(max(variance, 0.05**2) / count)
    degrees = count - 1
    t = mean / error
    z = (
        math.copysign(math.sqrt(degrees * math.log1p(t * t / degrees)), t)
        * (8 * degrees + 1)
        / (8 * degrees + 3)
    )
    return NormalDist().cdf(-z)


def _bits(chance: float) -> float:
    return min(MOST_BITS, -math.log2(chance)) if chance > 0 else MOST_BITS
