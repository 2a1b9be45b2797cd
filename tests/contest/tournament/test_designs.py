"""Designs and schedules at tables: no repeated meetings where promised, and nearly optimal otherwise."""

import math
from collections import Counter
from itertools import combinations

import pytest

from kakomi.contest.tournament.designs import (
    FixedRound,
    design,
    fewest_repeats,
    field,
    is_even,
    prime_power,
    schedule,
    table_sizes,
)

COMPLETE = {(9, 3): 4, (15, 3): 7, (27, 3): 13, (16, 4): 5, (25, 5): 6, (64, 4): 21}
"""(People, seats) → rounds in which everybody meets everybody exactly once."""

KNOWN = {
    (9, 3): 4,
    (12, 3): 4,
    (15, 3): 7,
    (18, 3): 8,
    (21, 3): 10,
    (24, 3): 11,
    (27, 3): 13,
    (16, 4): 5,
    (20, 4): 5,
    (24, 4): 7,
    (28, 4): 9,
    (32, 4): 10,
    (25, 5): 6,
    (35, 5): 7,
    (40, 5): 8,
    (42, 6): 7,
    (48, 6): 8,
}
"""(People, seats) → the number of rounds known to be possible without a repeat."""


def repeats(rounds: tuple[FixedRound, ...]) -> int:
    """Count repeated meetings: a pair that meets k times counts k * (k - 1) / 2."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(table, 2))
    return sum(math.comb(times, 2) for times in met.values())


@pytest.mark.parametrize("q", [2, 3, 4, 5, 7, 8, 9, 16, 25, 27])
def test_fields_have_inverses_and_distribute(q: int) -> None:
    elements, numbers = field(q), range(q)
    for a in numbers:
        assert sorted(elements.add(a, b) for b in numbers) == list(numbers)
        assert a == 0 or sorted(elements.multiply(a, b) for b in numbers) == list(numbers)
    for a, b, c in combinations(numbers[:9], 3):
        left = elements.multiply(a, elements.add(b, c))
        assert left == elements.add(elements.multiply(a, b), elements.multiply(a, c))


def test_prime_powers() -> None:
    assert [q for q in range(20) if prime_power(q)] == [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19]
    with pytest.raises(ValueError, match="a prime power of elements, not 6"):
        field(6)


@pytest.mark.parametrize(("people", "seats"), COMPLETE)
def test_complete_designs(people: int, seats: int) -> None:
    rounds = design(people, seats)
    assert len(rounds) == COMPLETE[people, seats]
    met = [pair for tables in rounds for table in tables for pair in combinations(table, 2)]
    assert len(met) == len(set(met)) == people * (people - 1) // 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_no_design_lets_anybody_meet_twice(seats: int) -> None:
    lengths = set()
    for people in range(2, 80):
        rounds = design(people, seats)
        assert repeats(rounds) == 0
        for tables in rounds:
            assert is_even([list(table) for table in tables], people, seats)
            assert sorted(person for table in tables for person in table) == list(range(people))
        lengths.add(len(rounds))
    assert len(lengths) > 5


def test_table_sizes() -> None:
    assert table_sizes(13, 4) == [4, 3, 3, 3]
    assert table_sizes(7, 6) == [4, 3]
    assert table_sizes(2, 6) == [2]
    assert table_sizes(1, 6) == table_sizes(0, 3) == []


def all_rounds(people: int, seats: int) -> list[tuple[tuple[int, ...], ...]]:
    """Every possible round of `people` at full tables."""

    def rest(left: tuple[int, ...]) -> list[tuple[tuple[int, ...], ...]]:
        if not left:
            return [()]
        return [
            ((left[0], *others), *more)
            for others in combinations(left[1:], seats - 1)
            for more in rest(tuple(person for person in left[1:] if person not in others))
        ]

    return rest(tuple(range(people)))


@pytest.mark.parametrize(
    ("people", "seats", "rounds"), [(6, 3, 2), (6, 3, 3), (6, 3, 4), (8, 4, 3), (9, 3, 2)]
)
def test_no_schedule_of_a_small_field_is_better(people: int, seats: int, rounds: int) -> None:
    possible = all_rounds(people, seats)
    best = min(repeats((possible[0], *others)) for others in combinations(possible, rounds - 1))
    assert fewest_repeats(people, seats, rounds) <= best
    assert repeats(schedule(people, seats, rounds)) == best


@pytest.mark.parametrize(
    ("people", "seats", "rounds"),
    [
        *((*key, min(rounds, 7)) for key, rounds in KNOWN.items()),
        (7, 3, 5),
        (10, 4, 5),
        (12, 4, 5),
        (17, 5, 5),
    ],
)
def test_schedules_are_within_a_twentieth_of_the_best_known(people: int, seats: int, rounds: int) -> None:
    is_known = rounds <= KNOWN.get((people, seats), 0)
    best = 0 if is_known else fewest_repeats(people, seats, rounds)
    assert repeats(schedule(people, seats, rounds)) <= 1.05 * best
