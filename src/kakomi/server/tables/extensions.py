"""What apps built on tables hook into: signals, responders, panels, seat notes and occasions.

A receiver of a signal that raises undoes the change, so its consequences are written with it or not at all.
Apps add to the lists when Django is ready. A responder answers an entry at once, in the transaction that
adds it: conditional plans, say. Panels stand beside the board; all of them together are one fragment of the
page. A button in a panel sends the form `aside`, by a `formaction` of its own: that form has the token
against forgery. Notes stand beside players' names: their ratings, say. An occasion is what a game is part of:
a tournament.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from django.dispatch import Signal
from django.utils.safestring import SafeString

from kakomi.server.accounts.models import Guest
from kakomi.server.tables import models
from kakomi.server.tables.commands import Value
from kakomi.session import Table

if TYPE_CHECKING:
    from kakomi.server.tables.presenters import TablePresenter


table_opened = Signal()
"""A table was opened. Sent by the class `models.Table` with `row`, `table`, and `follows`: whether it is a
rematch."""
seat_taken = Signal()
"""A guest sat down. Sent by the class `models.Table` with `row`, `seat` and `guest`."""
seat_declined = Signal()
"""Somebody declined an invitation. Sent by the class `models.Table` with `row`, `seat` and `reason`, one of
`session.events.ABORTS`."""
time_running_out = Signal()
"""Somebody has not acted for a while, or their clock runs out soon. The table's row is locked, and its
`warned` is the turn.

Sent by the class `models.Table` with `row`, `table`, `seat` (the number of the one to act), `deadline` (in
seconds since the epoch; None for a game without a clock), and `is_last`: whether the clock runs out soon."""
entries_added = Signal()
"""Entries were added to a log, by a person, a bot, the site or a responder. The table's row is locked.

Sent by the class `models.Table` with `row`, `before` and `table` (the `session.Table`s), and `entries`, the
new `session.Entry`s in order."""


@dataclass(frozen=True)
class Response:
    """Entries that a seat adds in answer to the last ones."""

    seat: int
    entries: Sequence[tuple[str, Value]]
    """Each a kind and a value."""
    key: str
    """The name of this answer; no other at the table has it."""


class Responder(Protocol):
    """Answers what was done at a table."""

    def __call__(self, row: models.Table, table: Table) -> Response | None:
        """The answer to a table as it stands, whose row is locked; None if there is nothing to do.

        It is asked again after every answer. What it answers must be allowed at the moment of the last entry:
        that is when it is entered, so that an answer takes nobody's time.
        """


RESPONDERS: list[Responder] = []


def response_to(row: models.Table, table: Table) -> Response | None:
    """The first answer to a table as it stands."""
    return next((answer for respond in RESPONDERS if (answer := respond(row, table))), None)


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
