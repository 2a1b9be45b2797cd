"""Rating updates after a result."""

import random
from itertools import permutations

import pytest
from openskill.models import PlackettLuce

from kakomi.contest import FIRST, Rating, anchor, chance, expected_place, rate
from kakomi.contest.ratings import BEGINNER, HIGHEST, LOWEST, posterior


def test_who_wins_gains_and_is_known_better() -> None:
    equal = Rating(1500, 400)
    winner, loser = rate([equal, equal], [1, 2])
    assert winner.mean - equal.mean == pytest.approx(equal.mean - loser.mean, abs=0.1)
    assert 180 < winner.mean - equal.mean < 220
    assert winner.sigma < equal.sigma and loser.sigma < equal.sigma


def test_a_first_game_between_newcomers_moves_them_by_a_hundred_points_at_most() -> None:
    winner, loser = rate([FIRST, FIRST], [1, 2])
    assert 50 < winner.mean - FIRST.mean < 100 and 50 < FIRST.mean - loser.mean < 100


@pytest.mark.parametrize("players", range(2, 7))
def test_nothing_depends_on_the_seats(players: int) -> None:
    draw = random.Random(players)
    ratings = [Rating(draw.uniform(1000, 2200), draw.uniform(40, 400)) for _ in range(players)]
    places = [min(place, 3) for place in range(1, players + 1)]
    known = dict(zip(ratings, rate(ratings, places), strict=True))
    for order in list(permutations(range(players)))[::17]:
        again = rate([ratings[i] for i in order], [places[i] for i in order])
        for i, rating in zip(order, again, strict=True):
            assert rating.mean == pytest.approx(known[ratings[i]].mean, abs=2.0)
            assert rating.sigma == pytest.approx(known[ratings[i]].sigma, abs=2.0)


@pytest.mark.parametrize("players", range(2, 7))
def test_a_tie_of_equals_moves_nobody(players: int) -> None:
    for rating in rate([FIRST] * players, [1] * players):
        assert rating.mean == pytest.approx(FIRST.mean, abs=0.5)
        assert rating.sigma < FIRST.sigma


def test_a_draw_is_good_for_the_weaker_one() -> None:
    strong, weak = rate([Rating(1900, 80), Rating(1500, 80)], [1, 1])
    assert strong.mean < 1890 and weak.mean > 1510


@pytest.mark.parametrize("players", range(2, 7))
def test_where_little_is_to_be_learned_openskill_says_the_same(players: int) -> None:
    """Its approximation is correct to first order: for small sigmas, with a beta for the number of
    players."""
    draw, sigma = random.Random(players), 0.03
    means = [draw.uniform(-1.5, 1.5) for _ in range(players)]
    model = PlackettLuce(beta=1 / players**0.5, tau=0.0, gamma=lambda *_args, **_named: 1.0)
    teams = [[model.rating(mu=mean, sigma=sigma)] for mean in means]
    others = model.rate(teams, ranks=[float(place) for place in range(players)])
    found = posterior(means, [sigma] * players, range(players))
    for mean, (shift, left), (other,) in zip(means, found, others, strict=True):
        assert shift * sigma == pytest.approx(other.mu - mean, abs=2e-5)
        assert left == pytest.approx((other.sigma / sigma) ** 2, abs=1e-4)


def test_the_scale_is_that_of_elo() -> None:
    strong, weak = Rating(1900, 0), Rating(1500, 0)
    assert chance(strong, weak) == pytest.approx(10 / 11)
    assert expected_place([strong, weak], 0) + expected_place([strong, weak], 1) == pytest.approx(3)
    assert chance(Rating(1900, 400), Rating(1500, 400)) < chance(strong, weak)
    assert anchor(0.0).mean == BEGINNER


def test_who_stays_away_is_known_less() -> None:
    known = Rating(1700, 60)
    assert known.after_days(365).sigma == pytest.approx(113, abs=1)
    assert known.after_days(365).mean == known.mean
    assert known.after_days(1e6).sigma == FIRST.sigma
    assert known.after_days(-5) == known  # after the clock was set back


def test_the_most_unlikely_results_stay_numbers() -> None:
    extremes = [Rating(LOWEST, 20.0), Rating(HIGHEST, 20.0), FIRST, Rating(HIGHEST, 400.0)]
    for places in permutations([1, 2, 3, 4]):
        for rating in rate(extremes, places):
            assert LOWEST <= rating.mean <= HIGHEST and 0 < rating.sigma <= 400


@pytest.mark.parametrize("places", [[1], [1, 2, 3]])
def test_a_game_needs_two_with_a_place_each(places) -> None:
    with pytest.raises(ValueError, match="two players or more, each with a place"):
        rate([FIRST] * min(2, len(places)), places)
