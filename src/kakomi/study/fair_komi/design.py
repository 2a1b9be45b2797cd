"""At which komis the next games are played: round the one that looks fair, as wide as it is still in doubt.

Games far from the fair komi are nearly always won by the same side and tell little. So the first ones
are spread over all komis that may be fair, and the later ones over those that still may be, to both
sides of a half. Two imaginary games, one won by the first player at a low komi and one lost at a high one,
keep the first rounds from running away; they count for the choice of komis alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from kakomi.study.fair_komi.estimate import Observations, estimated

ROUND = 20
"""Games between two looks at the results."""
REACH = 1 / 8
"""Of the points on the board: how far from the first guess a fair komi is looked for."""
SPREAD = 1.1
"""In scales to either side: there the first player wins three quarters and one quarter."""
ONE_ERROR = 0.5
"""The fall of the log-likelihood at one standard error."""
ROUGHLY = 30
"""Scales that are tried: enough to choose komis by."""


def next_komis(
    observed: Observations, allowed: Sequence[int], guess: float, reach: float, games: int = ROUND
) -> list[int]:
    """The komis of the next games, out of the allowed ones in order, after what was observed so far.

    `guess` and `reach` say where the fair komi is looked for at first: within so many points of the guess.
    """
    imaginary = [(guess - reach, 1.0), (guess + reach, 0.0)]
    step = float(allowed[1] - allowed[0]) if len(allowed) > 1 else 1.0
    found = estimated([*observed, *imaginary], step, drop=ONE_ERROR, tried=ROUGHLY)
    low = max(min(found.low, found.fair - SPREAD * found.scale), guess - 4 * reach)
    high = min(max(found.high, found.fair + SPREAD * found.scale), guess + 4 * reach)
    if not observed:
        low, high = guess - reach, guess + reach
    targets = [low + (high - low) * (place + 0.5) / games for place in range(games)]
    return [_beside(target, allowed, place % 2 == 0) for place, target in enumerate(targets)]


def _beside(target: float, allowed: Sequence[int], below: bool) -> int:
    """The nearest allowed komi on one side: on both sides of a step there have to be games."""
    place = bisect_right(allowed, target) - 1 if below else bisect_left(allowed, target)
    return allowed[min(len(allowed) - 1, max(0, place))]
