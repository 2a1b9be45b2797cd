"""Intervals contain the true value as often as they claim, in simulations with a known true value."""

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from kakomi.study.report import estimates
from kakomi.study.report.estimates import (
    Estimate,
    Values,
    fitted,
    holm,
    mean,
    p_value,
    quantile,
    share,
    student,
)

RUNS = 1500
SIGMAS = 3.0
"""A correct coverage is further off in one of 370 such tests."""


def holds(one: Estimate, truth: float) -> bool:
    return one.low <= truth <= one.high


def coverage(draw: Callable[[np.random.Generator], Estimate], truth: float, runs: int = RUNS) -> float:
    rng = np.random.default_rng(11)
    return float(np.mean([holds(draw(rng), truth) for _ in range(runs)]))


def check(found: float, low: float = 0.93, high: float = 0.97, runs: int = RUNS) -> None:
    doubt = SIGMAS * math.sqrt(0.05 * 0.95 / runs)
    assert low - doubt / 2 < found < high + doubt / 2


def blocks_of_two(rng: np.random.Generator, blocks: int) -> Iterator[tuple[str, float, float]]:
    """Lengths of games in pairs that share the effect of an opening."""
    shared = rng.normal(0, 3, blocks)
    for block in range(blocks):
        for _ in range(2):
            yield str(block), 50 + shared[block] + rng.normal(0, 4), 1.0


@pytest.mark.parametrize("blocks", [10, 40])
def test_means_of_games_in_blocks(blocks: int) -> None:
    check(coverage(lambda rng: mean(blocks_of_two(rng, blocks)), 50.0))


def test_ratios_of_sums_such_as_options_an_action() -> None:
    """Long games have more options per action. The true value is the ratio of expectations."""

    def draw(rng: np.random.Generator) -> Estimate:
        lengths = rng.integers(20, 61, 60)
        sums = lengths * (10 + 0.1 * lengths) + rng.normal(0, 40, 60)
        return mean((str(game), s, float(n)) for game, (s, n) in enumerate(zip(sums, lengths, strict=True)))

    lengths = np.arange(20, 61)
    check(coverage(draw, float((lengths * (10 + 0.1 * lengths)).sum() / lengths.sum())))


@pytest.mark.parametrize(("chance", "games"), [(0.5, 60), (0.8, 100)])
def test_shares_of_independent_games(chance: float, games: int) -> None:
    def draw(rng: np.random.Generator) -> Estimate:
        won = rng.random(games) < chance
        return share((str(game), float(one), 1.0) for game, one in enumerate(won))

    check(coverage(draw, chance))


def test_shares_of_games_in_pairs_that_openings_favour() -> None:
    def draw(rng: np.random.Generator) -> Estimate:
        favoured = rng.uniform(0.2, 0.8, 60)
        return share(
            (str(pair), float(rng.random() < p), 1.0) for pair, p in enumerate(favoured) for _ in "ab"
        )

    check(coverage(draw, 0.5))


@pytest.mark.parametrize("part", [0.5, 0.9])
def test_quantiles(part: float) -> None:
    """Quantiles of an exponential distribution. Ends are observed values, so the interval is slightly too
    wide."""

    def draw(rng: np.random.Generator) -> Estimate:
        return quantile(((str(game), one, 1.0) for game, one in enumerate(rng.exponential(1, 120))), part)

    check(coverage(draw, -math.log(1 - part)), high=0.985)


def test_trends_and_their_extrapolation() -> None:
    xs = [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0]
    errors = [0.02, 0.03, 0.03, 0.04, 0.05, 0.06]

    def draw(rng: np.random.Generator) -> Estimate:
        found = [0.5 + 0.0001 * x + rng.normal(0, error) for x, error in zip(xs, errors, strict=True)]
        trend = fitted(xs, [Estimate(v, v - e, v + e, 9, 9, e) for v, e in zip(found, errors, strict=True)])
        return trend.at(1400.0)

    check(coverage(draw, 0.64), high=0.985)  # errors are never made smaller


def test_a_test_of_several_is_wrong_about_none_in_95_of_100() -> None:
    rng = np.random.default_rng(3)
    wrong = sum(min(holm(rng.random(8).tolist())) < 0.05 for _ in range(RUNS))
    assert wrong / RUNS < 0.05 + SIGMAS * math.sqrt(0.05 * 0.95 / RUNS)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (10**9, 1.960)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, value: float) -> None:
    assert student(0.95, freedom) == pytest.approx(value, abs=0.01)


NOTHING: Values = []


@pytest.mark.parametrize("estimate", [mean, share, quantile])
def test_nothing_is_estimated_from_nothing(estimate: Callable[[Values], Estimate | None]) -> None:
    assert estimate(NOTHING) is None


def test_what_never_varies_and_what_is_too_little_has_no_interval() -> None:
    same = mean((str(game), 3.0, 1.0) for game in range(9))
    few = mean((str(game), float(game), 1.0) for game in range(2))
    assert same.value == 3 and not same.has_interval and not few.has_interval
    assert not quantile((str(game), 3.0, 1.0) for game in range(9)).has_interval


def test_the_games_of_a_block_count_once() -> None:
    """Ten copies of each game don't narrow the interval."""
    values = [(str(game), float(game % 3), 1.0) for game in range(30)]
    one, copied = mean(values), mean(values * 10)
    assert copied.games == 300 and copied.blocks == 30
    assert (copied.low, copied.high) == pytest.approx((one.low, one.high))


def test_a_p_value_is_that_of_the_normal_distribution() -> None:
    assert p_value(Estimate(0.6, 0.5, 0.7, 9, 9, 0.05), 0.5) == pytest.approx(0.0455, abs=1e-3)
    assert p_value(Estimate(0.6, math.nan, math.nan, 1, 1), 0.5) == 1
    gap = estimates.difference(Estimate(0.6, 0, 1, 9, 9, 0.03), Estimate(0.5, 0, 1, 9, 9, 0.04))
    assert gap.value == pytest.approx(0.1) and gap.error == pytest.approx(0.05)
