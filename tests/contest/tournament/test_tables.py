"""Rounds at tables: designs are followed as long as they fit, and seats and small tables rotate."""

from collections import Counter
from itertools import combinations

import pytest

from contest.tournament.played import field, pairs, play
from kakomi.contest.tournament import Entered, Tables, Withdrew, replay
from kakomi.contest.tournament.seating import History, seat_order


def repeats(rounds: list) -> int:
    met = Counter(frozenset(pair) for each in pairs(rounds) for pair in combinations(sorted(each), 2))
    return sum(times * (times - 1) // 2 for times in met.values())


@pytest.mark.parametrize(
    ("people", "seats", "rounds"), [(9, 3, 4), (15, 3, 7), (16, 4, 5), (24, 4, 7), (23, 5, 5)]
)
def test_nobody_meets_twice(people: int, seats: int, rounds: int) -> None:
    log = field(people)
    played = play(log, Tables(seats=seats, rounds=rounds))
    assert len(played) == rounds and repeats(played) == 0
    assert {len(seating.seats) for each in played for seating in each.pairings} <= {seats, seats - 1}


def test_after_a_withdrawal_tables_stay_even_and_repeats_few() -> None:
    log, config = field(16), Tables(seats=4, rounds=5)
    first = play(log, config, rounds=2)
    log += [Withdrew("p3"), Withdrew("p9")]
    rest = play(log, config)
    assert [sorted(len(each.seats) for each in played.pairings) for played in rest] == [[3, 3, 4, 4]] * 3
    assert repeats(first + rest) <= 2


def test_who_comes_late_is_seated() -> None:
    log, config = field(9), Tables(seats=3, rounds=4)
    play(log, config, rounds=2)
    log += [Entered("p10"), Entered("p11"), Entered("p12")]
    later = play(log, config)
    assert [sorted(map(len, pairs([each]))) for each in later] == [[3, 3, 3, 3]] * 2
    assert repeats(later) == 0


def test_everybody_sits_at_smaller_tables_about_as_often() -> None:
    log = field(13)
    play(log, Tables(seats=6, rounds=9))
    sizes = History(replay(log)).sizes.values()
    small = [count[4] for count in sizes]
    assert sum(small) == 9 * 8 and max(small) - min(small) <= 3


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_everybody_has_each_seat_about_as_often(seats: int) -> None:
    log = field(4 * seats)
    play(log, Tables(seats=seats, rounds=2 * seats))
    counts = [[own.count(seat) for seat in range(seats)] for own in History(replay(log)).seats.values()]
    assert max(max(own) - min(own) for own in counts) <= 2
    assert sum(max(own) - min(own) for own in counts) <= 2 * len(counts)


def test_the_fairest_of_all_seat_orders_is_taken() -> None:
    past = {"a": [0, 1, 2, 0], "b": [1, 2, 0, 1], "c": [2, 0, 1, 2]}
    assert seat_order(("a", "b", "c"), past, 1) in {("b", "c", "a"), ("c", "a", "b")}


def test_everybody_has_met_everybody() -> None:
    log = field(4)
    played = play(log, Tables(seats=4, rounds=5))
    assert [len(each.pairings) for each in played] == [1] * 5


def test_two_who_are_left_play_at_a_table_of_two() -> None:
    log, config = field(5), Tables(seats=5, rounds=3)
    play(log, config, rounds=1)
    log += [Withdrew(name) for name in ("p1", "p2", "p3")]
    assert [set(each) for each in pairs(play(log, config))] == [{"p4", "p5"}] * 2
