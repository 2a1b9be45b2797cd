"""Rounds at tables in which no two meet twice, for as many rounds as designs are known that have that.

For t tables of n, where t is a prime power and at least n, a transversal design has t such rounds: people
stand in n rows of t, and round s seats together those (row i, column j) for which j - s * a(i) is equal, over
the field of t elements with distinct a(i). People of one row never meet, so that whoever is missing is taken
from the last row and no table loses more than one; and then rows can meet among themselves by a smaller
design. For n = t this is an affine plane. For other numbers there are cyclic designs: a first round whose
people move on by one, modulo the number of rounds (`starters.py`).
"""

import functools
from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from kakomi.contest.tournament.finite_field import field, prime_power
from kakomi.contest.tournament.lots import by_lot, generator
from kakomi.contest.tournament.schedule_search import ScheduleSearch
from kakomi.contest.tournament.starters import STARTERS, develop

DesignRound = list[list[int]]
"""A round: the people at each table, numbered from 0."""
FixedRound = tuple[tuple[int, ...], ...]
"""The same, which nobody changes."""

_LARGEST = 128
"""Fields have at most so many elements; a larger field of people has no need of designs."""


def table_sizes(people: int, seats: int) -> list[int]:
    """How many sit at each table: as few tables as can be, as equal as can be, larger ones first. One person
    alone has no table; nor is a table smaller than two."""
    if people < 2:
        return []
    tables = -(-people // seats)
    return [people // tables + (table < people % tables) for table in range(tables)]


def is_even(tables: DesignRound, people: int, seats: int) -> bool:
    """Whether tables have the sizes that so many people should sit at."""
    return sorted(map(len, tables), reverse=True) == table_sizes(people, seats)


@functools.lru_cache(512)
def design(people: int, seats: int) -> tuple[FixedRound, ...]:
    """Rounds at tables of at most so many in which no two meet twice: the most that are known here, maybe
    none."""
    if people < 2:
        return ()
    found = max(_one_round(people, seats), _transversal(people, seats), _cyclic(people, seats), key=len)
    return tuple(_fixed(tables) for tables in found)


def _one_round(people: int, seats: int) -> list[DesignRound]:
    """What there always is."""
    numbers = iter(range(people))
    return [[[next(numbers) for _ in range(size)] for size in table_sizes(people, seats)]]


def _transversal(people: int, seats: int) -> list[DesignRound]:
    """The rounds of a transversal design, and then those of its rows."""
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
    """Rounds in which each row meets itself."""
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
    """The rounds of a cyclic design for so many people, or for some more, of whom the last are missing."""
    best: list[DesignRound] = []
    for (full, at_table), starter in STARTERS.items():
        if at_table != seats or not full - len(table_sizes(full, seats)) < people <= full:
            continue
        rounds = [[[p for p in table if p < people] for table in tables] for tables in develop(starter)]
        best = max(best, [tables for tables in rounds if is_even(tables, people, seats)], key=len)
    return best


@functools.lru_cache(512)
def schedule(people: int, seats: int, rounds: int) -> tuple[FixedRound, ...]:
    """So many rounds with as few repeated meetings as are known here: a design, or else what annealing makes
    of
    the rounds that there are and of some by chance. The same on every machine."""
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


def repeats(rounds: Iterable[FixedRound]) -> int:
    """How many repeated meetings there are: who meets for the k-th time repeats k - 1 meetings, so that two
    who
    meet k times make k * (k - 1) / 2 of them."""
    met = Counter(pair for tables in rounds for table in tables for pair in combinations(table, 2))
    return sum(_pairs(times) for times in met.values())


def fewest_repeats(people: int, seats: int, rounds: int) -> int:
    """So many repeated meetings there are at least, whatever the schedule: the larger of two bounds.

    All meetings, spread evenly over all pairs of people. And for any two rounds: those who sit at one table
    in the second sat at the tables of the first, and where there are fewer tables than people, some sat
    together twice.
    """
    sizes = table_sizes(people, seats)
    tables, pairs = len(sizes), _pairs(people)
    each, more = divmod(rounds * sum(map(_pairs, sizes)), pairs) if pairs else (0, 0)
    spread = pairs * _pairs(each) + more * each
    crowded = sum(_pairs(size // tables + (part < size % tables)) for size in sizes for part in range(tables))
    return max(spread, _pairs(rounds) * crowded)


def _pairs(people: int) -> int:
    return people * (people - 1) // 2
