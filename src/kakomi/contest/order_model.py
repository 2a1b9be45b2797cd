"""What the order of a game says about the strengths of those who played it: Plackett and Luce's model.

Everybody's performance is their strength plus Gumbel noise, the same for all, and the order of performances
is the order of the places. So the first of several wins with a probability in proportion to exp(strength /
scale), and the others follow in the same way (Plackett 1975, Luce 1959); between two it is the model of
Bradley and Terry, which Elo ratings use.

Strengths are known as normal distributions. `posterior` gives mean and variance of each after a game,
exactly but for the grid on which it integrates, and forgets that they now depend on each other (assumed-
density filtering). The usual short cut of Weng and Lin (2011), which openskill has, is not good enough
here: with six players its 95 % intervals covered 34 % after 60 games, and the mean of all drifted by an
eighth of the first sigma (docs/ratings.md).

Performances are independent of each other. So with those of places 1, 2, ..., n in that order, the
probability that one of them is at x and all the others in order is what has to lie above x times what has
to lie below, each a chain of n - 1 cumulative sums.
"""

import functools
from collections.abc import Iterator, Sequence

import numpy as np

NODES = 12
"""Points at which each strength is looked at, of a Gauss-Hermite rule. With the grid below, means and sigmas
are right to 1 % of a sigma."""
GRID = 56
"""Points of the grid of performances."""
BELOW, ABOVE, SIGMAS = 2.0, 5.0, 3.2
"""How far the grid reaches beyond all means, in scales of the noise and in sigmas."""

_UNIT = np.linspace(0.0, 1.0, GRID)

Moments = list[tuple[float, float]]
"""Of each strength, in its prior sigmas: by how much the mean moves, and what is left of the variance."""


@functools.cache
def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Where strengths are looked at, and with which weights; by a part of NumPy that loads slowly."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return nodes, weights / weights.sum()


def posterior(means: Sequence[float], sigmas: Sequence[float], ranks: Sequence[int]) -> Moments:
    """What the places say, by entrant; means and sigmas are in scales of the noise.

    Those who share a place are rated by the mean of what different orders among them would say.
    """
    if len(set(ranks)) == len(ranks):
        return _of_order(means, sigmas, sorted(range(len(ranks)), key=lambda i: ranks[i]))
    first = sorted(range(len(ranks)), key=lambda i: (means[i], sigmas[i]))  # whatever their seats are
    learned = [_of_order(means, sigmas, order) for order in _orders(ranks, first)]
    count = len(learned)
    return [
        (sum(shift for shift, _ in of_one) / count, sum(left for _, left in of_one) / count)
        for of_one in zip(*learned, strict=True)
    ]


def _orders(ranks: Sequence[int], known: Sequence[int]) -> Iterator[list[int]]:
    """Several orders of the entrants by place, in which each of those who share one is before each other one
    as often as behind. `known` are the entrants in an order that doesn't depend on their seats."""
    groups = [[i for i in known if ranks[i] == place] for place in sorted(set(ranks))]
    for turn in range(max(map(len, groups))):
        turned = [[*group[turn % len(group) :], *group[: turn % len(group)]] for group in groups]
        yield [i for group in turned for i in group]
        yield [i for group in turned for i in reversed(group)]


def _of_order(means: Sequence[float], sigmas: Sequence[float], order: Sequence[int]) -> Moments:
    """What an order without ties says."""
    centres, widths = [means[i] for i in order], [sigmas[i] for i in order]
    low = min(c - SIGMAS * w for c, w in zip(centres, widths, strict=True)) - BELOW
    high = max(c + SIGMAS * w for c, w in zip(centres, widths, strict=True)) + ABOVE
    nodes, node_weights = _rule()
    strengths = np.array(centres)[:, None] - low + np.array(widths)[:, None] * nodes
    # Gumbel's density at the grid, for every node of every strength, but for a constant factor
    rates = np.exp(strengths)[:, :, None] * np.exp((low - high) * _UNIT)
    density = rates * np.exp(-rates)
    in_order = _in_order(node_weights @ density)
    weights = (density @ in_order[:, :, None])[:, :, 0] * node_weights
    weights /= weights.sum(axis=1)[:, None]
    shifts = weights @ nodes
    left = (weights @ (nodes * nodes) - shifts * shifts).tolist()
    found: Moments = [(0.0, 1.0)] * len(order)
    for i, shift, variance in zip(order, shifts.tolist(), left, strict=True):
        found[i] = (shift, variance)
    return found


def _in_order(density: np.ndarray) -> np.ndarray:
    """For each place and point of the grid, how probable the order of all others is if the performance of
    that place is there, but for a constant factor."""
    above, below = np.ones(density.shape), np.ones(density.shape)
    last = len(density) - 1
    for place in range(last, 0, -1):
        mass = density[place] * below[place]
        below[place - 1] = mass.cumsum() - 0.5 * mass
    for place in range(last):
        mass = density[place] * above[place]
        sums = mass.cumsum()
        above[place + 1] = sums[-1] - sums + 0.5 * mass
    return above * below
