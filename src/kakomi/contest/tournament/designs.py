"""Schedules of rounds at tables, from combinatorial designs in which no two people meet twice.

For t tables of n, where t is a prime power and at least n, a transversal design has t such rounds: people
are arranged in n rows of t, and round s seats together those (row i, column j) with equal j - s * a(i), over
the field of t elements with distinct a(i). People in one row never meet. So missing people are taken from the
last row, which costs no table more than one, and rows can then meet internally by a smaller design. For n = t
this is an affine plane. For other numbers there are cyclic designs: a first round whose people are shifted by
one, modulo the number of rounds (`STARTERS`). Of `people`, `rounds * copies` are shifted: number
c * rounds + x becomes c * rounds + (x + 1) modulo `rounds`; the others stay. If no design is known, simulated
annealing improves all rounds together (`ScheduleSearch`).
"""

import functools
import math
from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from kakomi.contest.tournament.seeded_random import by_lot, generator


def prime_power(q: int) -> tuple[int, int] | None:
    """Return the prime and the exponent of a prime power; None for other numbers."""
    prime = next((p for p in range(2, q + 1) if q % p == 0), 0)
    exponent, rest = 0, q
    while prime and rest % prime == 0:
        rest, exponent = rest // prime, exponent + 1
    return (prime, exponent) if prime and rest == 1 else None


class Field:
    """The finite field of q elements. An element's digits to base p are the coefficients of a polynomial."""

    def __init__(self, q: int) -> None:
        found = prime_power(q)
        if found is None:
            raise ValueError(f"a field has a prime power of elements, not {q}")
        self.q = q
        self._prime, self._degree = found
        self._modulus = self._irreducible()

    def add(self, one: int, other: int) -> int:
        """Return the sum of two elements."""
        pairs = zip(self._digits(one), self._digits(other), strict=True)
        return self._number([(a + b) % self._prime for a, b in pairs])

    def multiply(self, one: int, other: int) -> int:
        """Return the product of two elements."""
        return self._number(self._product(self._digits(one), self._digits(other), self._modulus))

    def _digits(self, number: int) -> list[int]:
        return [number // self._prime**place % self._prime for place in range(self._degree)]

    def _number(self, digits: list[int]) -> int:
        return sum(digit * self._prime**place for place, digit in enumerate(digits))

    def _product(self, one: list[int], other: list[int], modulus: tuple[int, ...]) -> list[int]:
        """Return the product of two polynomials modulo x^degree + modulus."""
        found = [0] * (2 * self._degree)
        for (i, a), (j, b) in product(enumerate(one), enumerate(other)):
            found[i + j] += a * b
        for top in range(2 * self._degree - 1, self._degree - 1, -1):
            for place, coefficient in enumerate(modulus):
                found[top - self._degree + place] -= found[top] * coefficient
            found[top] = 0
        return [coefficient % self._prime for coefficient in found[: self._degree]]

    def _irreducible(self) -> tuple[int, ...]:
        """Find a modulus under which no product of two nonzero elements is 0."""
        elements = [self._digits(number) for number in range(1, self.q)]
        for modulus in product(range(self._prime), repeat=self._degree):
            if all(any(self._product(a, b, modulus)) for a in elements for b in elements):
                return modulus
        raise AssertionError("there is a field of every prime power of elements")


field = functools.cache(Field)


def develop(rounds: int, starter: str) -> Iterator[list[list[int]]]:
    """Yield all rounds of a cyclic design, from the tables of its first."""
    tables = [[int(person) for person in table.split()] for table in starter.split(",")]
    people = sum(map(len, tables))
    moving = people - people % rounds
    for shift in range(rounds):
        moved = [person - person % rounds + (person + shift) % rounds for person in range(moving)]
        places = [*moved, *range(moving, people)]
        yield [[places[person] for person in table] for table in tables]


STARTERS: dict[tuple[int, int], tuple[int, str]] = {
    (15, 3): (7, "0 7 14, 1 5 13, 2 3 12, 8 9 11, 4 6 10"),
    (18, 3): (7, "0 7 17, 1 9 16, 2 11 15, 4 8 14, 10 12 13, 3 5 6"),
    (21, 3): (9, "0 9 20, 1 11 19, 2 10 18, 5 12 17, 13 15 16, 3 8 14, 4 6 7"),
    (24, 3): (11, "0 11 23, 1 13 22, 2 4 21, 5 18 20, 9 14 19, 3 8 17, 12 15 16, 6 7 10"),
    (30, 3): (14, "0 14 29, 1 16 28, 2 3 27, 4 7 26, 8 13 25, 6 22 24, 10 17 23, 12 18 21, 15 19 20, 5 9 11"),
    (24, 4): (7, "0 7 14 23, 1 9 18 22, 3 13 19 21, 12 15 16 20, 2 4 5 17, 6 8 10 11"),
    (28, 4): (8, "0 8 16 27, 1 10 20 26, 2 12 17 25, 4 9 18 24, 3 5 6 23, 15 19 21 22, 7 11 13 14"),
    (40, 4): (
        11,
        "0 11 22 39, 1 13 25 38, 2 12 27 37, 3 16 23 36, 4 19 32 35, 6 20 29 34, 10 18 26 33, 15 17 21 31, 9 24 28 30, 5 7 8 14",  # noqa: E501
    ),
    (30, 5): (3, "0 1 3 6 29, 4 9 10 12 28, 5 15 16 18 27, 2 11 21 22 26, 7 14 17 24 25, 8 13 19 20 23"),
}
"""(people, seats) -> the number of rounds and the first, where that gives more rounds than other designs."""


MOVES_A_SEAT = 1500
MOST_MOVES = 250_000
REPEAT = 4
"""The cost of a repeated meeting. Sitting at smaller tables k times costs k²."""


class ScheduleSearch:
    """Simulated annealing of rounds at tables, to reduce repeated meetings.

    A pair that meets k times counts k * (k - 1) / 2 repeats, which makes repeats few and evenly spread. Moves
    exchange two people in one round, so rounds and tables keep their sizes.
    """

    def __init__(self, rounds: list[list[list[int]]], people: int) -> None:
        self._rounds = [[list(table) for table in tables] for tables in rounds]
        self._table_of = [[0] * people for _ in rounds]
        self._met = [[0] * people for _ in range(people)]
        self._small = [0] * people
        """The number of times each person is at a table smaller than the largest of its round."""
        for tables, of_round in zip(self._rounds, self._table_of, strict=True):
            for number, table in enumerate(tables):
                for person in table:
                    of_round[person] = number
                    self._small[person] += len(table) < len(tables[0])
                for one, other in combinations(table, 2):
                    self._met[one][other] += 1
                    self._met[other][one] += 1
        repeats = sum(k * (k - 1) // 2 for row in self._met for k in row) // 2
        self.cost = REPEAT * repeats + sum(k * k for k in self._small)

    def run(self, draw: Random, fewest: int = 0) -> list[list[list[int]]]:
        """Return the best schedule found. It stops early at `fewest` repeats, a lower bound, if smaller
        tables are shared out evenly."""
        people = len(self._met)
        moves = min(MOVES_A_SEAT * people * len(self._rounds), MOST_MOVES)
        best, best_cost = self._copy(), self.cost
        often, more = divmod(sum(self._small), people)
        least = REPEAT * fewest + people * often**2 + more * (2 * often + 1)
        heat, last = 0.7 * REPEAT, 0.08 * REPEAT
        cooling = (last / heat) ** (1 / moves)
        for _ in range(moves):
            if best_cost <= least:
                break
            number = int(draw.random() * len(self._rounds))
            one, other = int(draw.random() * people), int(draw.random() * people)
            heat *= cooling
            of_round = self._table_of[number]
            if of_round[one] == of_round[other]:
                continue
            change = self._change(number, one, other)
            if change <= 0 or draw.random() < math.exp(-change / heat):
                self._exchange(number, one, other)
                self.cost += change
                if self.cost < best_cost:
                    best, best_cost = self._copy(), self.cost
        self.cost = best_cost
        return best

    def _change(self, number: int, one: int, other: int) -> int:
        """Return the change of the cost if two people exchange places in a round."""
        tables, of_round = self._rounds[number], self._table_of[number]
        met, its_met = self._met[one], self._met[other]
        change = 0
        for person in tables[of_round[one]]:
            if person != one:
                change += its_met[person] - met[person] + 1
        for person in tables[of_round[other]]:
            if person != other:
                change += met[person] - its_met[person] + 1
        change *= REPEAT
        size, its_size = len(tables[of_round[one]]), len(tables[of_round[other]])
        if size != its_size:
            into, out = (one, other) if size > its_size else (other, one)
            change += 2 * (self._small[into] - self._small[out]) + 2
        return change

    def _exchange(self, number: int, one: int, other: int) -> None:
        of_round = self._table_of[number]
        table, its_table = self._rounds[number][of_round[one]], self._rounds[number][of_round[other]]
        if len(table) != len(its_table):
            into, out = (one, other) if len(table) > len(its_table) else (other, one)
            self._small[into] += 1
            self._small[out] -= 1
        self._count(one, table, -1)
        self._count(other, its_table, -1)
        table[table.index(one)], its_table[its_table.index(other)] = other, one
        of_round[one], of_round[other] = of_round[other], of_round[one]
        self._count(other, table, 1)
        self._count(one, its_table, 1)

    def _count(self, one: int, table: list[int], by: int) -> None:
        for person in table:
            if person != one:
                self._met[one][person] += by
                self._met[person][one] += by

    def _copy(self) -> list[list[list[int]]]:
        return [[list(table) for table in tables] for tables in self._rounds]


DesignRound = list[list[int]]
"""A round: the people at each table, numbered from 0."""
FixedRound = tuple[tuple[int, ...], ...]
"""An immutable round."""

_LARGEST = 128
"""The largest finite field in use; more people than that don't need designs."""


def table_sizes(people: int, seats: int) -> list[int]:
    """Return the sizes of as few tables as possible, as equal as possible, larger ones first. Fewer than two
    people get no table."""
    if people < 2:
        return []
    tables = -(-people // seats)
    return even_parts(people, tables)


def even_parts(whole: int, parts: int) -> list[int]:
    """Return a number in parts as equal as possible, larger ones first."""
    return [whole // parts + (part < whole % parts) for part in range(parts)]


def is_even(tables: DesignRound, people: int, seats: int) -> bool:
    """Whether tables have the sizes that `table_sizes` gives."""
    return sorted(map(len, tables), reverse=True) == table_sizes(people, seats)


@functools.lru_cache(512)
def design(people: int, seats: int) -> tuple[FixedRound, ...]:
    """Return the longest known sequence of rounds in which no two people meet twice; it may be empty."""
    if people < 2:
        return ()
    found = max(_one_round(people, seats), _transversal(people, seats), _cyclic(people, seats), key=len)
    return tuple(_fixed(tables) for tables in found)


def _one_round(people: int, seats: int) -> list[DesignRound]:
    """Return the single round that always exists."""
    numbers = iter(range(people))
    return [[[next(numbers) for _ in range(size)] for size in table_sizes(people, seats)]]


def _transversal(people: int, seats: int) -> list[DesignRound]:
    """Return the rounds of a transversal design, followed by those within its rows."""
    columns = len(table_sizes(people, seats))
    missing = seats * columns - people
    if not seats <= columns <= _LARGEST or not prime_power(columns) or missing >= columns:
        return []
    elements = field(columns)
    rounds: list[DesignRound] = []
    for shift in range(columns):
        moves = [elements.multiply(shift, row) for row in range(seats)]
        tables: DesignRound = [[] for _ in range(columns)]
        for row, move in enumerate(moves):
            for column in range(columns):
                if (person := row * columns + column) < people:
                    tables[elements.add(column, move)].append(person)
        rounds.append(tables)
    return rounds + _among_rows(people, seats, columns)


def _among_rows(people: int, seats: int, columns: int) -> list[DesignRound]:
    """Return rounds within each row."""
    rows = [list(range(start, min(start + columns, people))) for start in range(0, people, columns)]
    by_row = [design(len(row), seats) for row in rows]
    rounds = []
    for together in zip(*by_row, strict=False):
        tables = [
            [row[person] for person in table]
            for row, own in zip(rows, together, strict=True)
            for table in own
        ]
        if is_even(tables, people, seats):
            rounds.append(tables)
    return rounds


def _cyclic(people: int, seats: int) -> list[DesignRound]:
    """Return the rounds of a cyclic design for this many people or slightly more, without the last ones."""
    best: list[DesignRound] = []
    for (full, at_table), starter in STARTERS.items():
        if at_table != seats or not full - len(table_sizes(full, seats)) < people <= full:
            continue
        rounds = [[[p for p in table if p < people] for table in tables] for tables in develop(*starter)]
        best = max(best, [tables for tables in rounds if is_even(tables, people, seats)], key=len)
    return best


@functools.lru_cache(512)
def schedule(people: int, seats: int, rounds: int) -> tuple[FixedRound, ...]:
    """Return a schedule with few repeated meetings: a design, or else the result of annealing from a shorter
    design and random rounds. It is the same on every machine."""
    known = design(people, seats)[:rounds]
    sizes = table_sizes(people, seats)
    if len(sizes) < 2:
        return ((tuple(range(people)),),) * rounds
    if len(known) == rounds:
        return known
    draw = generator(0, "schedule", people, seats, rounds)
    first: list[DesignRound] = [[list(table) for table in tables] for tables in known]
    while len(first) < rounds:
        people_in_order = iter(by_lot(map(str, range(people)), len(first), "round"))
        first.append([[int(next(people_in_order)) for _ in range(size)] for size in sizes])
    found = ScheduleSearch(first, people).run(draw, fewest_repeats(people, seats, rounds))
    return tuple(_fixed(tables) for tables in found)


def _fixed(tables: DesignRound) -> FixedRound:
    return tuple(tuple(sorted(table)) for table in tables)


def fewest_repeats(people: int, seats: int, rounds: int) -> int:
    """Return a lower bound on the repeated meetings of any schedule, the larger of two bounds.

    The first spreads all meetings evenly over all pairs of people. The second takes any two rounds: if a
    table of one has more people than the other has tables, some of them meet in both.
    """
    sizes = table_sizes(people, seats)
    tables, pairs = len(sizes), math.comb(people, 2)
    each, more = divmod(rounds * sum(math.comb(size, 2) for size in sizes), pairs) if pairs else (0, 0)
    spread = pairs * math.comb(each, 2) + more * each
    crowded = sum(
        math.comb(size // tables + (part < size % tables), 2) for size in sizes for part in range(tables)
    )
    return max(spread, math.comb(rounds, 2) * crowded)
