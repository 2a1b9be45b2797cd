"""Scores and Elo differences with their intervals."""

import math
import random

import pytest

from kakomi.contest.estimate import elo_of, estimated, score_of, stratified


def test_elo_and_score_are_each_others_inverse() -> None:
    assert elo_of(10 / 11) == pytest.approx(400)
    assert score_of(0) == 0.5
    assert [elo_of(score_of(elo)) for elo in (-700, -3, 120)] == pytest.approx([-700, -3, 120])
    assert elo_of(1) == math.inf and elo_of(0) == -math.inf


def test_nothing_is_estimated_from_nothing() -> None:
    assert estimated([], 2) is None


@pytest.mark.parametrize("sweep", [0.0, 1.0])
def test_a_clean_sweep_leaves_doubt(sweep: float) -> None:
    estimate = estimated([sweep] * 10, 2)
    assert estimate and estimate.score == sweep
    assert estimate.high - estimate.low == pytest.approx(
        1.96**2 / (10 + 1.96**2), rel=1e-3
    )  # Wilson's, by hand


def test_independent_games_give_wilsons_interval() -> None:
    """100 wins in 160 games, in pairs of independent games: by hand 0.548 to 0.696."""
    estimate = estimated([1.0] * 31 + [0.5] * 38 + [0.0] * 11, 2)
    assert estimate and estimate.score == 0.625
    assert (estimate.low, estimate.high) == pytest.approx((0.548, 0.696), abs=0.003)


def test_openings_that_decide_games_make_no_doubt_about_the_players() -> None:
    """If each side wins once in every pair, as Black, the match is almost certainly even."""
    estimate = estimated([0.5] * 100, 2)
    assert estimate and estimate.low > 0.49 and estimate.high < 0.51


@pytest.mark.parametrize(("strength", "bias", "draws"), [(0.5, 0.0, 0.0), (0.6, 0.3, 0.0), (0.85, 0.1, 0.2)])
def test_the_interval_holds_the_truth_95_times_in_100(strength: float, bias: float, draws: float) -> None:
    rng = random.Random(7)

    def game(colour: int) -> float:
        if rng.random() < draws:
            return 0.5
        return float(rng.random() < strength + colour * bias)

    truth = draws / 2 + (1 - draws) * strength
    hits = 0
    for _ in range(1000):
        estimate = estimated([(game(1) + game(-1)) / 2 for _ in range(50)], 2)
        assert estimate
        hits += estimate.low <= truth <= estimate.high
    assert 0.92 < hits / 1000 < 0.98


def test_matches_that_each_count_the_same_are_weighed_together() -> None:
    scores = [0.5, 1.0, 0.0, 0.75]
    assert stratified([scores], [2]) == estimated(scores, 2)
    apart = stratified([[1.0, 1.0, 1.0, 0.5], [0.0, 0.0, 0.0, 0.5]], [2, 2])
    pooled = estimated([1.0, 1.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.5], 2)
    assert apart and pooled and apart.score == pooled.score == 0.5 and apart.blocks == 8
    assert apart.high - apart.low < pooled.high - pooled.low
    assert stratified([[1.0] * 9, [0.0]], [2, 2]).score == 0.5
    assert stratified([[0.5], []], [2, 2]) is None and stratified([], []) is None


def test_the_interval_over_matches_holds_the_truth() -> None:
    """Pairs of games in three matches with different chances, whose mean is the true value."""
    chance = random.Random(1)
    strengths, held = (0.2, 0.5, 0.9), 0
    for _ in range(500):
        strata = [
            [(chance.random() < strength) / 2 + (chance.random() < strength) / 2 for _ in range(20)]
            for strength in strengths
        ]
        estimate = stratified(strata, [2] * 3)
        held += estimate.low <= sum(strengths) / 3 <= estimate.high
    assert 0.92 <= held / 500 <= 0.995
