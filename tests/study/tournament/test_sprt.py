"""The sequential test errs as seldom as it says, and stops early."""

import math
import random

import pytest

from kakomi.study.tournament import Sprt, score_of
from kakomi.study.tournament.sprt import FEWEST_BLOCKS

TEST = Sprt(0, 100)


def verdict_on(elo: float, bias: float, rng: random.Random) -> str | None:
    """The verdict of a match of 400 pairs, whose colours favour Black by `bias`."""
    chance = score_of(elo)
    pairs = [((rng.random() < chance + bias) + (rng.random() < chance - bias)) / 2 for _ in range(400)]
    return TEST.verdict(pairs, 2)[1]


@pytest.mark.parametrize("bias", [0.0, 0.25])
@pytest.mark.parametrize(("elo", "right"), [(TEST.elo0, "H0"), (TEST.elo1, "H1")])
def test_it_errs_in_about_one_of_twenty(bias: float, elo: float, right: str) -> None:
    rng = random.Random(5)
    verdicts = [verdict_on(elo, bias, rng) for _ in range(500)]
    assert 0.005 < sum(verdict != right for verdict in verdicts) / 500 < 0.08


def test_a_large_difference_stops_it_at_once() -> None:
    assert TEST.verdict([1.0] * 100, 2)[1] == "H1"
    assert TEST.verdict([0.0] * 100, 2)[1] == "H0"
    assert TEST.verdict([1.0] * (FEWEST_BLOCKS - 1), 2)[1] is None
    assert TEST.verdict([1.0] * FEWEST_BLOCKS, 2)[1] == "H1"


def test_the_first_decision_stands() -> None:
    pairs = [1.0] * 20 + [0.0] * 200
    assert TEST.verdict(pairs, 2) == TEST.verdict(pairs[:FEWEST_BLOCKS], 2)


def test_the_ratio_is_that_of_the_normal_likelihoods() -> None:
    """Ten pairs with the mean 0.6, their variance with the imaginary pair's 1/8."""
    pairs = [0.5] * 8 + [1.0] * 2
    variance = (8 * 0.1**2 + 2 * 0.4**2 + 0.125) / 10
    s0, s1 = 0.5, score_of(100)
    by_hand = 10 * ((0.6 - s0) ** 2 - (0.6 - s1) ** 2) / (2 * variance)
    assert TEST.verdict(pairs, 2)[0] == pytest.approx(by_hand)


@pytest.mark.parametrize("elos", [(50, 0), (5, 5), (0, float("inf")), (float("-inf"), 0), (float("nan"), 1)])
def test_what_is_no_test_is_refused(elos: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="smaller than"):
        Sprt(*elos)


@pytest.mark.parametrize("chances", [(0, 0.05), (0.05, 0), (0.5, 0.05), (0.05, 0.5), (float("nan"), 0.05)])
def test_chances_of_an_error_are_less_than_even(chances: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"between 0 and 0\.5"):
        Sprt(0, 50, *chances)


def test_each_bound_is_of_its_own_error() -> None:
    """A. Wald, "Sequential Tests of Statistical Hypotheses", 1945."""
    test = Sprt(0, 50, alpha=0.01, beta=0.2)
    assert test.lower == pytest.approx(math.log(0.2 / 0.99))
    assert test.upper == pytest.approx(math.log(0.8 / 0.01))
    assert test.verdict([], 2) == (0.0, None)
