"""Measure how often the intervals of reports contain the truth, in simulations where it is known.

    python -m benchmarks.report_coverage [--runs 20000]

A longer run of what `tests/study/report/test_estimates.py` tests: for each kind of estimate and number of
blocks it prints the share of intervals that contain the truth, which should be 93 to 97 %. Intervals of
quantiles and trends are rather too wide, and ten blocks are too few for a share.
"""

import argparse
import math
from collections.abc import Callable, Iterator

import numpy as np

from kakomi.study.report.estimates import Estimate, fitted, mean, quantile, share

Draw = Callable[[np.random.Generator], Estimate | None]
BLOCKS = (10, 30, 100)


def lengths_in_pairs(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """The mean length of games in pairs that share the effect of their opening."""
    shared = rng.normal(50, 3, blocks)
    return mean((str(at), one + rng.normal(0, 4), 1.0) for at, one in enumerate(shared) for _ in "ab")


def skewed_lengths(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """The mean of lengths, few of which are very long."""
    return mean((str(at), one, 1.0) for at, one in enumerate(rng.lognormal(0, 0.5, blocks)))


def options_an_action(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """A ratio of sums, where longer games have more options per action."""
    lengths = rng.integers(20, 61, blocks)
    sums = lengths * (10 + 0.1 * lengths) + rng.normal(0, 40, blocks)
    return mean((str(at), s, float(n)) for at, (s, n) in enumerate(zip(sums, lengths, strict=True)))


def favoured_pairs(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """The share of wins in pairs of games with the same opening, which favours a player."""
    chances = rng.uniform(0.4, 1.0, blocks)
    won = ((at, rng.random() < chance) for at, chance in enumerate(chances) for _ in "ab")
    return share((str(at), float(one), 1.0) for at, one in won)


def independent_wins(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """The share of wins in independent games."""
    return share((str(at), float(won), 1.0) for at, won in enumerate(rng.random(blocks) < 0.7))


def median_length(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """The median of an exponential distribution."""
    return quantile((str(at), one, 1.0) for at, one in enumerate(rng.exponential(1, blocks)))


def extrapolated(rng: np.random.Generator, blocks: int) -> Estimate | None:
    """A trend over seven levels, extrapolated 400 Elo points beyond the last."""
    xs = [200.0 * level for level in range(7)]
    error = 0.5 / math.sqrt(blocks)
    found = [Estimate(0.5 + x / 10_000 + rng.normal(0, error), 0, 1, blocks, blocks, error) for x in xs]
    trend = fitted(xs, found)
    return trend.at(1600.0) if trend else None


def cases() -> Iterator[tuple[Callable[[np.random.Generator, int], Estimate | None], float]]:
    """Yield each way to draw games, with the true value."""
    lengths = np.arange(20, 61)
    yield lengths_in_pairs, 50.0
    yield skewed_lengths, math.exp(0.125)
    yield options_an_action, float((lengths * (10 + 0.1 * lengths)).sum() / lengths.sum())
    yield favoured_pairs, 0.7
    yield independent_wins, 0.7
    yield median_length, math.log(2)
    yield extrapolated, 0.66


def coverage(draw: Draw, truth: float, runs: int) -> float:
    """Return the fraction of intervals that contain the truth."""
    rng = np.random.default_rng(1)
    found = (draw(rng) for _ in range(runs))
    return sum(one is not None and one.low <= truth <= one.high for one in found) / runs


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--runs", type=int, default=20_000)
    runs = parser.parse_args().runs
    print(f"{'estimate':20}" + "".join(f"{blocks:>6} blocks" for blocks in BLOCKS))
    for case, truth in cases():
        held = [coverage(lambda rng, n=n, case=case: case(rng, n), truth, runs) for n in BLOCKS]
        print(f"{case.__name__:20}" + "".join(f"{100 * one:11.1f} %" for one in held), flush=True)


if __name__ == "__main__":
    main()
