"""Exact chances of counts, by the binomial distribution."""

import math


def tail(count: int, of: int, share: float) -> float:
    """The chance of at least so many successes, by the terms of the binomial distribution that matter."""
    if count <= 0 or share >= 1:
        return 1.0
    if share <= 0:
        return 0.0
    if count <= of * share:  # more than half: by what is missing, whose terms fall from the first on
        return 1.0 - tail(of - count + 1, of, 1 - share)
    ways = math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
    term = math.exp(ways + count * math.log(share) + (of - count) * math.log1p(-share))
    total, odds = term, share / (1 - share)
    for k in range(count, of):
        term *= (of - k) / (k + 1) * odds
        total += term
        if term < total * 1e-17:
            break
    return min(1.0, total)


def both_tails(count: int, of: int, share: float) -> float:
    """The p-value of a count where each success has such a chance: twice the smaller tail, at most 1."""
    return min(1.0, 2 * min(tail(count, of, share), tail(of - count, of, 1 - share)))
