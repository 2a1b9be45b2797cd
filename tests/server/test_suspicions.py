"""Counts that are unlikely by chance: against known values, and how often innocent people are found."""

import math
import random

import pytest

from kakomi.server.moderation.suspicions import (
    LEAST_BITS,
    LEAST_GAMES,
    MOST_BITS,
    Agreement,
    agreement,
    interval,
    only_lose_to_each_other,
    time_outs,
    weight,
)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),  # 1 - 0.025 ** (1 / 10)
        (10, 10, 0.6915, 1.0),
        (5, 10, 0.1871, 0.8129),  # Clopper and Pearson's own chart, and every table since
        (1, 20, 0.0013, 0.2487),
    ],
)
def test_exact_intervals(count: int, of: int, low: float, high: float) -> None:
    assert interval(count, of) == pytest.approx((low, high), abs=1e-4)


def test_an_interval_of_nothing_is_all() -> None:
    assert interval(0, 0) == (0.0, 1.0)


def test_bits_are_heads_in_succession() -> None:
    found = time_outs([True] * 12, 0.5)
    assert (found.count, found.of, found.expected) == (12, 12, 6.0)
    assert found.bits == pytest.approx(12)
    assert time_outs([False] * 12, 0.5).bits == 0


def test_a_share_is_a_share() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        time_outs([True], 1.5)


def test_a_site_without_time_outs_makes_nobody_guilty_of_one() -> None:
    assert not time_outs([True] + [False] * 20, 0.0).is_finding
    assert time_outs([True] * 21, 0.0).is_finding


def test_pairs_are_as_odd_as_their_other_games_say() -> None:
    found = only_lose_to_each_other([0.5] * 8, [0.5] * 15, 0)
    assert found.bits == pytest.approx(15) and found.expected == pytest.approx(7.5) and found.is_finding
    assert only_lose_to_each_other([0.5] * 8, [0.5] * 15, 1).bits == 0
    assert only_lose_to_each_other([0.5] * (LEAST_GAMES - 1), [0.5] * 15, 0).bits == 0
    assert only_lose_to_each_other([0.5] * 8, [1.0] * 9, 0).bits == MOST_BITS


def test_agreement_counts_games_and_not_turns() -> None:
    even = [Agreement(15, 30, 15.0) for _ in range(20)]
    assert agreement(even).bits == pytest.approx(1)
    one_long_game = [Agreement(300, 300, 150.0)]
    assert agreement(one_long_game).bits == 0
    assert agreement([Agreement(29, 30, 15.0)] * 8).is_finding


def test_agreement_by_students_distribution() -> None:
    """Of 6 values with t = 4.032, 5 degrees of freedom, chance brings one in 200 (any table of t)."""
    spread, count = 0.1, 6
    shape = [spread, -spread] * (count // 2)
    deviation = math.sqrt(sum(value * value for value in shape) / (count - 1))
    mean = 4.032 * deviation / math.sqrt(count)
    games = [Agreement(round(10_000 * (0.5 + mean + value)), 10_000, 0.5 * 10_000) for value in shape]
    assert 2 ** -agreement(games).bits == pytest.approx(0.005, rel=0.05)


def innocent_time_outs(rng: random.Random) -> float:
    share = 0.04
    return time_outs([rng.random() < share for _ in range(rng.randint(5, 200))], share).bits


def innocent_pair(rng: random.Random) -> float:
    elsewhere = [rng.uniform(0.05, 0.6) for _ in range(rng.randint(5, 60))]
    losses = sum(rng.random() < chance for chance in elsewhere)
    return only_lose_to_each_other([0.5] * 10, elsewhere, losses).bits


def innocent_agreement(rng: random.Random) -> float:
    """A game is easy or hard throughout, which makes its turns depend on each other."""
    games = []
    for _ in range(rng.randint(5, 30)):
        turns, chance = rng.randint(10, 40), min(max(rng.gauss(0.45, 0.12), 0.0), 1.0)
        games.append(Agreement(sum(rng.random() < chance for _ in range(turns)), turns, 0.45 * turns))
    return agreement(games).bits


@pytest.mark.parametrize("innocent", [innocent_time_outs, innocent_pair, innocent_agreement])
def test_innocent_people_are_found_no_more_often_than_the_bits_say(innocent: object) -> None:
    """With 3,000 of them, 7 bits (one in 128) may come about 23 times; 14 bits next to never."""
    rng, trials = random.Random(7), 3_000
    bits = [innocent(rng) for _ in range(trials)]  # type: ignore[operator]
    assert sum(each >= 7 for each in bits) <= 23 + 4 * math.sqrt(23)
    assert sum(each >= LEAST_BITS for each in bits) <= 2


def test_the_guilty_are_found() -> None:
    rng = random.Random(8)
    assert time_outs([rng.random() < 0.5 for _ in range(40)], 0.04).is_finding
    assert only_lose_to_each_other([0.5] * 12, [0.45] * 30, 0).is_finding
    helped = [Agreement(sum(rng.random() < 0.85 for _ in range(30)), 30, 13.5) for _ in range(12)]
    assert agreement(helped).is_finding


def test_a_place_in_the_queue() -> None:
    assert weight(0, 0, [], has_appeal=False) == 0
    assert weight(2, 1, [14.0, 20.0], has_appeal=False) == 20 + 2 * 6 + 3
    assert weight(0, 0, [], has_appeal=True) > weight(1, 3, [20.0], has_appeal=False)
