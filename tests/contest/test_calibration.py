"""Rating intervals have the right coverage, and ratings don't inflate for any number of players."""

import random

import pytest

from contest.leagues import places_of, play_league
from kakomi.contest import FIRST, rate

SEATS = [(2,), (3,), (4,), (5,), (6,), (2, 3, 4, 5, 6)]


@pytest.mark.parametrize("sizes", SEATS, ids=str)
@pytest.mark.parametrize("rounds", [2, 12])
def test_intervals_hold_the_true_strength(sizes, rounds: int) -> None:
    league = play_league(sizes, players=900, rounds=rounds, seed=5)
    assert 0.93 <= league.coverage <= 0.97


def test_they_do_where_strengths_change_with_time() -> None:
    league = play_league((2, 4), players=700, rounds=24, seed=2, days=10)
    assert 0.93 <= league.coverage <= 0.97


@pytest.mark.parametrize("sizes", SEATS, ids=str)
def test_a_thousand_games_leave_the_mean_where_it_was(sizes) -> None:
    """The mean of a small closed pool drifts randomly, but it must not inflate."""
    rounds = round(1000 * sum(sizes) / len(sizes) / 300)
    leagues = [play_league(sizes, players=300, rounds=rounds, seed=seed) for seed in range(3)]
    assert abs(sum(league.drift for league in leagues) / len(leagues)) < 0.01


def test_games_with_ties_do_not_move_it_either() -> None:
    draw, ratings = random.Random(1), [FIRST] * 300
    strengths = [draw.gauss(0, FIRST.sigma) for _ in ratings]
    for _ in range(1000):
        seats = draw.sample(range(300), draw.choice((2, 3, 6)))
        places = places_of([strengths[i] for i in seats], draw, draws=250.0)
        for i, rating in zip(seats, rate([ratings[i] for i in seats], places), strict=True):
            ratings[i] = rating
    assert abs(sum(r.mean for r in ratings) / 300 - FIRST.mean) < 0.01 * FIRST.sigma
