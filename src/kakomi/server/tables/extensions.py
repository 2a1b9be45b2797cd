"""What apps that are built on tables show at them. They add theirs to these lists when Django is ready.

Panels stand beside the board; all of them together are one fragment of the page. A button in a panel sends
the form `aside`, by a `formaction` of its own: that form has the token against forgery. Notes stand beside
the names of those who sit there: their ratings, say. An occasion is what a game is part of: a tournament.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from django.utils.safestring import SafeString

from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models
from kakomi.session import Table

if TYPE_CHECKING:
    from kakomi.server.tables.presenters import TablePresenter

PANELS: list[Callable[["TablePresenter"], SafeString]] = []
"""Each makes the HTML of a panel for a viewer; empty: there is nothing to show."""


class WayOn(NamedTuple):
    """Where somebody goes after a game: the words of a button, and its address."""

    words: str
    address: str


@dataclass(frozen=True)
class Occasion:
    """The tournament that a game is part of."""

    code: str
    name: str
    round: int
    part: str
    """The round in words; empty where games begin at any time."""
    address: str
    is_going: bool
    """Whether more games may follow."""
    way_on: Callable[[Guest | None], WayOn]
    """Where somebody goes once the game is over."""


OCCASIONS: list[Callable[[models.Table], Occasion | None]] = []
"""Each says what a binding table's game is part of."""


class SeatNotes(Protocol):
    """Says something of the people and bots at a table."""

    def __call__(self, row: models.Table, seats: Sequence[models.Seat]) -> Mapping[int, str]:
        """A few words by seat, in the viewer's language; none for who has nothing to be said of."""


SEAT_NOTES: list[SeatNotes] = []


def occasion_of(row: models.Table, table: Table) -> Occasion | None:
    """What the game of a table is part of; only binding tables are asked about."""
    found = (of(row) for of in OCCASIONS if table.is_binding)
    return next((each for each in found if each), None)


def notes_of(row: models.Table, seats: Sequence[models.Seat]) -> dict[int, str]:
    """The notes of all apps, by seat."""
    notes: dict[int, str] = {}
    for say in SEAT_NOTES:
        for number, words in say(row, seats).items():
            notes[number] = f"{notes[number]} · {words}" if number in notes else words
    return notes
