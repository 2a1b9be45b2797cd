"""What apps that are built on tables show at them. They add theirs to these lists when Django is ready.

Panels stand beside the board; all of them together are one fragment of the page. A button in a panel sends
the form `aside`, by a `formaction` of its own: that form has the token against forgery. Notes stand beside
the names of those who sit there: their ratings, say.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from django.utils.safestring import SafeString

from kakomi.server.tables import models

if TYPE_CHECKING:
    from kakomi.server.tables.presenters import TablePresenter

PANELS: list[Callable[["TablePresenter"], SafeString]] = []
"""Each makes the HTML of a panel for a viewer; empty: there is nothing to show."""


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
