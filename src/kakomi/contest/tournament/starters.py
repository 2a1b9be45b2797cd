"""First rounds from which cyclic designs come: moved on by one, round after round, no two meet twice.

Of `people`, `rounds * copies` move: number c * rounds + x goes to c * rounds + (x + 1) modulo `rounds`. The
others stay.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Starter(NamedTuple):
    """A round that is moved on."""

    rounds: int
    tables: tuple[tuple[int, ...], ...]


def develop(starter: Starter) -> Iterator[list[list[int]]]:
    """All rounds that come of a first one."""
    people = sum(map(len, starter.tables))
    moving = people - people % starter.rounds
    for shift in range(starter.rounds):
        yield [
            [_moved(person, shift, starter.rounds, moving) for person in table] for table in starter.tables
        ]


def _moved(person: int, shift: int, rounds: int, moving: int) -> int:
    if person >= moving:
        return person
    return person - person % rounds + (person % rounds + shift) % rounds


STARTERS: dict[tuple[int, int], Starter] = {
    (15, 3): Starter(7, ((0, 7, 14), (1, 5, 13), (2, 3, 12), (8, 9, 11), (4, 6, 10))),
    (18, 3): Starter(7, ((0, 7, 17), (1, 9, 16), (2, 11, 15), (4, 8, 14), (10, 12, 13), (3, 5, 6))),
    (21, 3): Starter(
        9, ((0, 9, 20), (1, 11, 19), (2, 10, 18), (5, 12, 17), (13, 15, 16), (3, 8, 14), (4, 6, 7))
    ),
    (24, 3): Starter(
        11,
        (
            (0, 11, 23),
            (1, 13, 22),
            (2, 4, 21),
            (5, 18, 20),
            (9, 14, 19),
            (3, 8, 17),
            (12, 15, 16),
            (6, 7, 10),
        ),
    ),
    (30, 3): Starter(
        14,
        (
            (0, 14, 29),
            (1, 16, 28),
            (2, 3, 27),
            (4, 7, 26),
            (8, 13, 25),
            (6, 22, 24),
            (10, 17, 23),
            (12, 18, 21),
            (15, 19, 20),
            (5, 9, 11),
        ),
    ),
    (24, 4): Starter(
        7, ((0, 7, 14, 23), (1, 9, 18, 22), (3, 13, 19, 21), (12, 15, 16, 20), (2, 4, 5, 17), (6, 8, 10, 11))
    ),
    (28, 4): Starter(
        8,
        (
            (0, 8, 16, 27),
            (1, 10, 20, 26),
            (2, 12, 17, 25),
            (4, 9, 18, 24),
            (3, 5, 6, 23),
            (15, 19, 21, 22),
            (7, 11, 13, 14),
        ),
    ),
    (40, 4): Starter(
        11,
        (
            (0, 11, 22, 39),
            (1, 13, 25, 38),
            (2, 12, 27, 37),
            (3, 16, 23, 36),
            (4, 19, 32, 35),
            (6, 20, 29, 34),
            (10, 18, 26, 33),
            (15, 17, 21, 31),
            (9, 24, 28, 30),
            (5, 7, 8, 14),
        ),
    ),
    (30, 5): Starter(
        3,
        (
            (0, 1, 3, 6, 29),
            (4, 9, 10, 12, 28),
            (5, 15, 16, 18, 27),
            (2, 11, 21, 22, 26),
            (7, 14, 17, 24, 25),
            (8, 13, 19, 20, 23),
        ),
    ),
}
"""By the number of people and of seats: those with more rounds than other designs have."""
