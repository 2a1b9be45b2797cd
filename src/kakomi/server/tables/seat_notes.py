"""What apps that are built on tables say beside the names of those who sit there: their ratings, say.

They add theirs to `SEAT_NOTES` when Django is ready.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from kakomi.server.tables import models


class SeatNotes(Protocol):
    """Says something of the people and bots at a table."""

    def __call__(self, row: models.Table, seats: Sequence[models.Seat]) -> Mapping[int, str]:
        """A few words by seat, in the viewer's language; none for who has nothing to be said of."""


SEAT_NOTES: list[SeatNotes] = []


def notes_of(row: models.Table, seats: Sequence[models.Seat]) -> dict[int, str]:
    """The notes of all apps, by seat."""
    notes: dict[int, str] = {}
    for say in SEAT_NOTES:
        for number, words in say(row, seats).items():
            notes[number] = f"{notes[number]} · {words}" if number in notes else words
    return notes
