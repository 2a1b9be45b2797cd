"""Estimates of the fair komi from simulated games, and the komis for the next games."""

import math
from statistics import fmean, pstdev

import numpy as np
import pytest
from benchmarks.komi_coverage import TRUTHS, Truth, coverage, estimates

from kakomi.study.komi import ROUND, Observations, estimated, next_komis

RUNS = 60
DOUBT = 3 * math.sqrt(0.05 * 0.95 / RUNS)
"""A correct coverage is further off in one of 370 such tests."""


def expected(fair: float, scale: float, komis: range, games: int = 1000) -> Observations:
    """Games whose results match the curve to within half a game at each komi."""
    shares = {komi: round(games / (1 + math.exp((komi - fair) / scale))) for komi in komis}
    return [(komi, float(game < won)) for komi, won in shares.items() for game in range(games)]


@pytest.mark.parametrize(("fair", "scale"), [(5.3, 2.0), (0.0, 4.0), (11.0, 12.0)])
def test_games_as_expected_give_the_curve_they_were_made_of(fair: float, scale: float) -> None:
    found = estimated(expected(fair, scale, range(0, 24, 2)), step=2)
    assert found.fair == pytest.approx(fair, abs=0.1)
    assert found.scale == pytest.approx(scale, rel=0.05), "scales are tried in steps"
    assert found.low < fair < found.high and found.games == 12_000
    assert found.share(found.fair) == pytest.approx(0.5)
    assert found.share(found.fair - found.scale) == pytest.approx(0.731, abs=0.001)


@pytest.mark.parametrize("name", ["narrow", "at the lowest komi"])
def test_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    """`python -m benchmarks.komi_coverage` has more runs and more true values."""
    found = list(estimates(TRUTHS[name], games=100, runs=RUNS, seed=7))
    assert 0.93 - DOUBT < coverage(TRUTHS[name], found) <= 0.97 + DOUBT
    off = np.mean([one.fair for one in found]) - TRUTHS[name].fair
    assert abs(off) < 0.4, "and estimates are right on average"


def test_where_one_side_always_wins_the_interval_reaches_to_the_next_komi() -> None:
    sharp = [(komi, float(komi < 3)) for komi in range(0, 8, 2) for _ in range(50)]
    found = estimated(sharp, step=2)
    assert 2 <= found.low < 2.3 and 3.7 < found.high <= 4
    assert found.fair == pytest.approx(3, abs=0.1)


def test_more_games_make_narrower_intervals() -> None:
    rng = np.random.default_rng(3)
    truth = Truth(fair=6, scale=4, points=49, guess=6)
    few, many = truth.measured(60, rng), truth.measured(600, rng)
    assert many.high - many.low < 0.6 * (few.high - few.low)


def test_a_draw_is_half_a_win() -> None:
    drawn = [(komi, 0.5) for komi in (4, 6) for _ in range(50)] + [(0, 1.0), (10, 0.0)] * 50
    assert estimated(drawn, step=2).fair == pytest.approx(5, abs=0.1)


def test_games_that_one_side_wins_at_every_komi_bound_one_end_alone() -> None:
    lost = estimated([(0, 0.0)] * 30 + [(2, 0.0)] * 30, step=2)
    assert lost.low == -math.inf and lost.high < 1
    won = estimated([(0, 1.0)] * 30 + [(2, 1.0)] * 30, step=2)
    assert won.high == math.inf and won.low > 1


def test_without_games_there_is_no_estimate() -> None:
    with pytest.raises(ValueError, match="no game"):
        estimated([], step=2)


KOMIS = range(0, 81, 2)


def test_the_first_games_are_spread_over_all_that_may_be_fair() -> None:
    komis = next_komis([], KOMIS, guess=12.0, reach=10.0)
    assert len(komis) == ROUND and all(komi in KOMIS for komi in komis)
    assert min(komis) == 2 and max(komis) == 22 and len(set(komis)) == 11


def test_later_ones_are_round_the_one_that_looks_fair() -> None:
    first = [(float(komi), float(komi < 19)) for komi in next_komis([], KOMIS, guess=12.0, reach=10.0)]
    second = next_komis(first, KOMIS, guess=12.0, reach=10.0)
    assert abs(fmean(second) - 19) < 1.5 and pstdev(second) < 3


def test_both_sides_of_an_edge_are_played() -> None:
    sharp = [(float(komi), float(komi < 7)) for komi in range(0, 20, 2) for _ in range(20)]
    assert sorted(set(next_komis(sharp, KOMIS, guess=7.0, reach=10.0))) == [6, 8]


def test_komis_that_are_not_allowed_are_not_played() -> None:
    lost = [(0.0, 0.0)] * 20
    assert min(next_komis(lost, KOMIS, guess=0.0, reach=10.0)) == 0
    won = [(80.0, 1.0)] * 20
    assert max(next_komis(won, KOMIS, guess=80.0, reach=10.0)) == 80


def test_a_guess_that_is_far_off_is_left_behind() -> None:
    observed: list[tuple[float, float]] = []
    for _ in range(6):
        komis = next_komis(observed, KOMIS, guess=4.0, reach=10.0)
        observed += [(float(komi), float(komi < 33)) for komi in komis]
    assert abs(fmean(komi for komi, _ in observed[-ROUND:]) - 33) < 1.5
