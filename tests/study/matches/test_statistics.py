"""Statistics of finished games."""

import math
from itertools import pairwise

import pytest

from kakomi.study.matches import Pairing, Statistics, Tally, ratings
from kakomi.study.matches.games import MissingLibrary
from study.matches.made import pairing, played

PAIRINGS = [
    pairing(1, "A", "B", opening=1),
    pairing(2, "B", "A", opening=1),
    pairing(3, "A", "B", opening=2),
    pairing(4, "B", "A", opening=2),
]


def test_wins_count_at_once_and_scores_when_an_opening_is_done() -> None:
    statistics = Statistics(PAIRINGS)
    statistics.add(played(PAIRINGS[2], 0))
    assert statistics.tally("A", "B") == Tally(1, 0, 0)
    assert statistics.block_scores("A", "B") == [] and statistics.estimate("A", "B") is None
    statistics.add(played(PAIRINGS[3], 0, 1))
    assert statistics.tally("A", "B") == Tally(1, 1, 0) and statistics.tally("B", "A") == Tally(0, 1, 1)
    assert statistics.block_scores("A", "B") == [0.75] and statistics.block_scores("B", "A") == [0.25]


def test_others_have_no_part_in_what_two_have_of_each_other() -> None:
    pairings = [*PAIRINGS, pairing(5, "A", "C", opening=1), pairing(6, "C", "B", opening=1)]
    statistics = Statistics(pairings)
    for number in (1, 5, 6):
        statistics.add(played(pairings[number - 1], 0))
    assert statistics.tally("A", "B") == Tally(1, 0, 0)
    assert Tally(1, 2, 4).games == 7
    assert [statistics.games_a_block("A", other) for other in "BCD"] == [2, 1, 1]


def test_the_sequential_test_sees_openings_in_their_order_alone() -> None:
    statistics = Statistics(PAIRINGS)
    for number in (3, 4, 1):
        statistics.add(played(PAIRINGS[number - 1], 0))
        assert statistics.leading_scores("A", "B") == []
    statistics.add(played(PAIRINGS[1], 1))
    assert statistics.leading_scores("A", "B") == [1.0, 0.5]


def round_robin(strengths: dict[str, int], openings: int) -> tuple[list[Pairing], Statistics]:
    """A round robin. In ten openings, a player wins 5 plus the difference in strength."""
    names = list(strengths)
    pairs = [(one, other) for place, one in enumerate(names) for other in names[place + 1 :]]
    pairings = [
        pairing(0, *seats, opening=opening)
        for opening in range(openings)
        for pair in pairs
        for seats in (pair, pair[::-1])
    ]
    statistics = Statistics(pairings)
    for of in pairings:
        first, second = of.seats
        lead = 5 + strengths[first] - strengths[second]
        statistics.add(played(of, 0 if of.opening % 10 < lead else 1))
    return pairings, statistics


def test_ratings_order_the_entrants_and_hold_the_truth() -> None:
    pytest.importorskip("choix")
    _, statistics = round_robin({"weak": 0, "strong": 2, "middling": 1}, 40)
    rated = ratings(statistics, ["weak", "strong", "middling"])
    assert [rating.entrant for rating in rated] == ["strong", "middling", "weak"]
    assert sum(rating.elo for rating in rated) == pytest.approx(0, abs=1e-6)
    assert rated[0].elo - rated[1].elo == pytest.approx(70, abs=15)  # 60% by design
    for rating in rated:
        assert rating.low < rating.elo < rating.high < rating.low + 250


def test_a_long_ladder_is_as_high_as_its_steps() -> None:
    """Only neighbours have met, so only their own games determine their difference."""
    pytest.importorskip("choix")
    entrants = [f"level {number}" for number in range(11)]
    pairings = [
        pairing(0, *seats, opening=opening)
        for opening in range(40)
        for pair in pairwise(entrants)
        for seats in (pair, pair[::-1])
    ]
    statistics = Statistics(pairings)
    for of in pairings:
        higher = int(entrants.index(of.seats[1]) > entrants.index(of.seats[0]))
        statistics.add(played(of, higher if of.opening % 10 < 8 else 1 - higher))
    rated = {rating.entrant: rating.elo for rating in ratings(statistics, entrants)}
    for lower, upper in pairwise(entrants):
        assert rated[upper] - rated[lower] == pytest.approx(241, abs=3)  # 80%


def test_a_clean_sweep_has_a_finite_rating() -> None:
    pytest.importorskip("choix")
    _, statistics = round_robin({"weak": 0, "strong": 9}, 10)
    strong, weak = ratings(statistics, ["weak", "strong"])
    assert 200 < strong.elo - weak.elo < 2000


@pytest.mark.parametrize(("wins", "losses"), [(30, 10), (1, 0)])
def test_two_are_as_far_apart_as_their_scores_say(wins: int, losses: int) -> None:
    """In the Bradley–Terry model with an additional tenth of a win for both."""
    pytest.importorskip("choix")
    pairings = [pairing(number, "A", "B", opening=number) for number in range(wins + losses)]
    statistics = Statistics(pairings)
    for number, of in enumerate(pairings):
        statistics.add(played(of, 0 if number < wins else 1))
    first, second = ratings(statistics, ["A", "B"])
    assert first.entrant == "A"
    assert first.elo - second.elo == pytest.approx(400 * math.log10((wins + 0.1) / (losses + 0.1)), rel=1e-3)


def test_no_games_no_ratings() -> None:
    pytest.importorskip("choix")
    assert ratings(Statistics(PAIRINGS), ["A", "B"]) == []


def test_without_the_library_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "choix", None)
    with pytest.raises(MissingLibrary, match=r"pip install 'kakomi\[study\]'"):
        ratings(Statistics(PAIRINGS), ["A", "B"])
