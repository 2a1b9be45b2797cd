"""Measure how often the intervals of the fair komi contain the truth, in simulations where it is known.

    python -m benchmarks.komi_coverage [--runs 500]

A longer run of what `tests/study/test_komi.py` tests: games are drawn from a known curve, at the komis that a
measurement would choose. For each truth and number of games it prints the share of intervals that contain the
truth, which should be 93 to 97 %, the mean error of the estimates, and the median half width of the
intervals. With a sharp edge, intervals extend from one komi to the next and so are rather too wide.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from kakomi.study.komi import REACH, KomiEstimate, estimated, next_komis

GAMES = (100, 200)


@dataclass(frozen=True)
class Truth:
    """A board with a known curve of the first player's share over komi."""

    fair: float
    scale: float
    points: int
    guess: float
    """The komi with which a measurement begins."""
    step: int = 2
    draws: float = 0.0
    """The fraction of games that are drawn, at any komi."""

    def game(self, komi: float, rng: np.random.Generator) -> float:
        """Draw the first player's share of the win in a game."""
        if rng.random() < self.draws:
            return 0.5
        return float(rng.random() < 1 / (1 + np.exp((komi - self.fair) / self.scale)))

    def measured(self, games: int, rng: np.random.Generator) -> KomiEstimate:
        """Simulate a measurement."""
        allowed = range(0, self.points, self.step)
        observed: list[tuple[float, float]] = []
        while len(observed) < games:
            komis = next_komis(observed, allowed, self.guess, REACH * self.points)
            observed += [(float(komi), self.game(komi, rng)) for komi in komis]
        return estimated(observed, self.step)


TRUTHS = {
    "wide, guess right": Truth(fair=8.0, scale=12.0, points=169, guess=8.0),
    "wide, guess 20 off": Truth(fair=27.0, scale=10.0, points=169, guess=7.0),
    "narrow": Truth(fair=5.3, scale=2.0, points=49, guess=2.0),
    "at the lowest komi": Truth(fair=0.5, scale=4.0, points=49, guess=2.0),
    "with draws": Truth(fair=6.6, scale=6.0, points=81, guess=4.0, step=1, draws=0.2),
    "a sharp edge": Truth(fair=3.0, scale=0.05, points=25, guess=2.0),
}


def estimates(truth: Truth, games: int, runs: int, seed: int = 1) -> Iterator[KomiEstimate]:
    """Simulate many measurements."""
    rng = np.random.default_rng(seed)
    return (truth.measured(games, rng) for _ in range(runs))


def coverage(truth: Truth, found: Sequence[KomiEstimate]) -> float:
    """Return the fraction of intervals that contain the truth."""
    return fmean(one.low <= truth.fair <= one.high for one in found)


def main() -> None:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shown)
    parser.add_argument("--runs", type=int, default=500)
    runs = parser.parse_args().runs
    print(f"{'truth':20}{'games':>7}{'held':>9}{'off by':>9}{'half width':>12}")
    for name, truth in TRUTHS.items():
        for games in GAMES:
            found = list(estimates(truth, games, runs))
            off = fmean(one.fair for one in found) - truth.fair
            half = median(one.high - one.low for one in found) / 2
            held = 100 * coverage(truth, found)
            print(f"{name:20}{games:7}{held:7.1f} %{off:+9.2f}{half:12.2f}", flush=True)


if __name__ == "__main__":
    main()
