"""Pairings: balanced seats, and the same openings for everybody."""

from collections import Counter, defaultdict

import pytest

import kakomi
from kakomi.core.seeds import derived_seed
from kakomi.study.matches import Pairing, entrant_names, schedule

RIN = kakomi.game("rin", size=4)


def seats_of(pairings: list[Pairing], players: int) -> list[Counter[str]]:
    return [Counter(pairing.seats[player] for pairing in pairings) for player in range(players)]


@pytest.mark.parametrize(
    ("players", "entrants", "games"),
    [(2, "AB", 7), (2, "ABCD", 6), (3, "AB", 12), (3, "ABC", 5), (4, "AB", 8), (4, "ABCDE", 4), (6, "AB", 6)],
)
def test_everybody_has_every_seat_equally_often(players: int, entrants: str, games: int) -> None:
    game = kakomi.game("rings", size=2, players=players)
    pairings = schedule(game, list(entrants), games)
    for seats in seats_of(pairings, players):
        assert len({seats[entrant] for entrant in entrants}) == 1
    by_opening = defaultdict(list)
    for pairing in pairings:
        by_opening[pairing.opening].append(pairing.seats)
    assert len({tuple(sorted(seats)) for seats in by_opening.values()}) == 1
    assert all(set(pairing.seats) <= set(entrants) for pairing in pairings)


def test_a_pair_has_at_least_the_games_asked_for_and_no_opening_more() -> None:
    assert len(schedule(RIN, ["A", "B"], 7)) == 8
    meetings = Counter(frozenset(pairing.seats) for pairing in schedule(RIN, ["A", "B", "C"], 7))
    assert set(meetings.values()) == {8} and len(meetings) == 3


def test_a_longer_schedule_begins_as_a_shorter_one() -> None:
    assert schedule(RIN, ["A", "B"], 20)[:8] == schedule(RIN, ["A", "B"], 8)


def test_the_seed_decides_openings_and_bots() -> None:
    one, same, other = (schedule(RIN, ["A", "B"], 8, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert not {pairing.opening for pairing in one} & {pairing.opening for pairing in other}
    assert not {pairing.seed for pairing in one} & {pairing.seed for pairing in other}
    assert len({one[0].seed_of(player) for player in range(2)}) == 2


def test_seeds_are_told_apart_and_stay_what_they_are() -> None:
    """A match resumed from a file plays the games that it would have played."""
    assert derived_seed(1, 23) != derived_seed(12, 3)
    assert 0 <= derived_seed(1, "rin") < 2**32
    first = schedule(RIN, ["A", "B"], 2)[0]
    assert (first.opening, first.seed) == (4227014453, 31422692)
    assert first.bots == ()


def test_an_opening_has_two_plies_of_each_player_if_nothing_is_said() -> None:
    three = kakomi.game("rings", size=2, players=3)
    assert {pairing.opening_plies for pairing in schedule(RIN, ["A", "B"], 2)} == {4}
    assert {pairing.opening_plies for pairing in schedule(three, ["A", "B", "C"], 3)} == {6}
    assert {pairing.opening_plies for pairing in schedule(RIN, ["A", "B"], 2, opening_plies=0)} == {0}


def test_with_fewer_entrants_than_seats_all_ways_to_sit_make_up_the_games() -> None:
    assert len(schedule(kakomi.game("rings", size=2, players=3), ["A", "B"], 12)) == 12


def test_one_entrant_alone_is_no_match() -> None:
    with pytest.raises(ValueError, match="at least two"):
        schedule(RIN, ["A"], 2)


def test_an_entrant_may_be_given_twice_and_plays_itself() -> None:
    pairings = schedule(RIN, ["5", "3", "5", "5"], 2)
    names = {"5": "5", "3": "3", "5 (2)": "5", "5 (3)": "5"}
    assert entrant_names(["5", "3", "5", "5"]) == tuple(names)
    assert {name for pairing in pairings for name in pairing.seats} == set(names)
    for pairing in pairings:
        assert pairing.specs == tuple(names[name] for name in pairing.seats)


@pytest.mark.parametrize("entrants", [["5 (2)", "5", "5"], ["5", "5", "5 (2)"]])
def test_no_two_entrants_have_the_same_name(entrants: list[str]) -> None:
    assert len(set(entrant_names(entrants))) == 3
