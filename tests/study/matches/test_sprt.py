"""The sequential test errs as rarely as it claims, and stops early."""

import math
import random
from collections.abc import Iterable, Iterator

import pytest

from kakomi.contest.estimate import score_of
from kakomi.study.matches import Sprt
from kakomi.study.matches.statistics import FEWEST_BLOCKS, _penalty

TEST = Sprt(0, 100)


def pairs(elo: float, rng: random.Random, *, bias: float = 0.0, drawn: float = 0.0) -> Iterator[float]:
    """An endless sequence of scores of pairs. Colours favour Black by `bias`, and `drawn` is the share of
    possible draws."""
    chance = score_of(elo)
    bias = min(bias, chance, 1 - chance)
    while True:
        yield sum(_game(each, drawn, rng) for each in (chance + bias, chance - bias)) / 2


def _game(chance: float, drawn: float, rng: random.Random) -> float:
    half = drawn * min(chance, 1 - chance)
    number = rng.random()
    return 1.0 if number < chance - half else 0.5 if number < chance + half else 0.0


def errors(test: Sprt, right: str, trials: int, seed: int, **kind: float) -> float:
    """The share of matches, played until decided, with a wrong verdict."""
    rng = random.Random(seed)
    elo = test.elo0 if right == "H0" else test.elo1
    return sum(test.verdict(pairs(elo, rng, **kind), 2)[1] != right for _ in range(trials)) / trials


@pytest.mark.parametrize("right", ["H0", "H1"])
@pytest.mark.parametrize(
    ("elos", "bias"),
    [((0, 100), 0.0), ((0, 100), 0.25), ((400, 600), 0.0), ((-600, -400), 0.1), ((700, 1000), 0.0)],
)
def test_it_errs_in_about_one_of_twenty(elos: tuple[float, float], bias: float, right: str) -> None:
    """`tests/long/test_sequential_test.py` is more precise, over all valid settings."""
    assert errors(Sprt(*elos), right, 200, seed=5, bias=bias) < 0.1


def test_a_large_difference_stops_it_at_once() -> None:
    assert TEST.verdict([1.0] * 100, 2)[1] == "H1"
    assert TEST.verdict([0.0] * 100, 2)[1] == "H0"
    assert TEST.verdict([1.0] * (FEWEST_BLOCKS - 1), 2)[1] is None
    assert TEST.verdict([1.0] * FEWEST_BLOCKS, 2)[1] == "H1"


def test_the_first_decision_stands() -> None:
    pairs = [1.0] * 20 + [0.0] * 200
    assert TEST.verdict(pairs, 2) == TEST.verdict(pairs[:FEWEST_BLOCKS], 2)


def test_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    """Two scores and a mean determine the distribution. The three others count as seen a thousandth of a
    time."""
    scores = [0.0] * 30 + [1.0] * 70
    mean0, mean1 = 0.5, score_of(100)
    by_hand = 70 * math.log(mean1 / mean0) + 30 * math.log((1 - mean1) / (1 - mean0))
    assert ratio(scores) == pytest.approx(by_hand, abs=0.02)


@pytest.mark.parametrize(
    ("losses", "wins", "mean"),
    [(30, 70, 0.5), (1, 999, 0.006), (999, 1, 0.994), (1, 1, 0.999), (0.001, 500, 0.3)],
)
def test_a_mean_far_from_what_was_seen_costs_what_it_does_by_hand(
    losses: float, wins: float, mean: float
) -> None:
    """With two scores, the mean determines the chance of each."""
    share = wins / (losses + wins)
    by_hand = wins * math.log(share / mean) + losses * math.log((1 - share) / (1 - mean))
    assert _penalty([(0.0, losses), (1.0, wins)], mean) == pytest.approx(by_hand, rel=1e-9)


def ratio(scores: Iterable[float], games_a_block: int = 2) -> float:
    """The log-likelihood ratio after all blocks."""
    *_, last = TEST.ratios(scores, games_a_block)
    return last


def test_no_other_distribution_is_likelier() -> None:
    """The likeliest distribution with each mean, compared with many random ones adjusted to that mean."""
    rng, counts = random.Random(3), {0.0: 3, 0.25: 9, 0.5: 21, 0.75: 12, 1.0: 5}
    scores = [score for score, count in counts.items() for _ in range(count)]
    found = [max(likelihood(counts, mean, rng) for _ in range(600)) for mean in (score_of(0), score_of(100))]
    assert ratio(scores) == pytest.approx(found[1] - found[0], abs=0.1)


def likelihood(counts: dict[float, int], mean: float, rng: random.Random) -> float:
    """The log-likelihood of counts under a random similar distribution with this mean."""
    weights = {score: count * rng.uniform(0.6, 1.6) for score, count in counts.items()}
    low, high = -50.0, 50.0
    for _ in range(60):
        bend = (low + high) / 2
        bent = {score: weight * math.exp(bend * score) for score, weight in weights.items()}
        if sum(score * weight for score, weight in bent.items()) < mean * sum(bent.values()):
            low = bend
        else:
            high = bend
    whole = sum(bent.values())
    return sum(count * math.log(bent[score] / whole) for score, count in counts.items())


def test_blocks_of_more_games_have_more_scores() -> None:
    """Among three players, a block has six games, in which winners share."""
    scores = [0.0] * 30 + [1.0] * 70
    assert ratio(scores, 6) == pytest.approx(ratio(scores), abs=0.05)
    assert ratio([*scores, 1 / 7], 6) == pytest.approx(ratio([*scores, 1 / 6], 6), abs=0.05)


@pytest.mark.parametrize(
    "elos", [(50, 0), (5, 5), (0, float("inf")), (float("-inf"), 0), (float("nan"), 1), (0, 1001), (-1001, 0)]
)
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
