"""Newcomers' ratings: near a beginner's at first, found within some games, and without large jumps."""

import pytest

from contest.newcomers import simulate
from kakomi import catalog
from kakomi.contest import FIRST, anchor


@pytest.fixture(scope="module")
def crowd():
    return simulate()


def test_a_newcomer_starts_between_the_weakest_levels() -> None:
    levels = [catalog.describe(name).levels for name in catalog.names()]
    first, third = (max(anchor(level[at].elo or 0.0).mean for level in levels) for at in (0, 2))
    assert first < FIRST.mean < third


def test_a_first_game_does_not_move_anyone_by_200_points(crowd) -> None:
    assert crowd.largest_first_step < 200


def test_ratings_approach_strengths(crowd) -> None:
    assert crowd.error(5) < 0.75 * crowd.error(0)
    assert crowd.error(20) < 110 and crowd.error(20, "beginner") < 90
    assert crowd.error(20, "expert") < 260


def test_the_mean_is_not_driven_away_from_the_mean_strength(crowd) -> None:
    biases = [abs(crowd.bias(games)) for games in (0, 5, 10, 20, 40)]
    assert biases == sorted(biases, reverse=True)
