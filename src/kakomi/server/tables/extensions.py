"""Extension points for apps built on tables: signals, responders, panels, seat notes and contexts of games.

If a receiver of a signal raises, the change is rolled back, so consequences are committed with it or not at
all. Apps add to the lists when Django is ready. A responder answers an entry at once, in the transaction that
adds it; conditional plans do this. Panels beside the board together form one fragment of the page, and those
in the menu another. A button in them submits the form `aside`, which has the CSRF token, with its own
`formaction`. Notes, such as ratings, are shown beside players' names. A game's context is its tournament.
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
"""Somebody hasn't acted for a while, or their clock runs out soon. The table's row is locked, and its
`warned` is the current turn.

Sent by the class `models.Table` with `row`, `table`, `seat` (the number of the seat to act), `deadline` (in
seconds since the epoch; None for a game without a clock), and `is_last`: whether the clock runs out soon."""
entries_added = Signal()
"""Entries were added to a log, by a person, a bot, the site or a responder. The table's row is locked.

Sent by the class `models.Table` with `row`, `before` and `table` (the `session.Table`s), and `entries`, the
new `session.Entry`s in order."""


@dataclass(frozen=True)
class Response:
    """Entries that a seat adds in response to the last ones."""

    seat: int
    entries: Sequence[tuple[str, Value]]
    """Each a kind and a value."""
    key: str
    """The idempotency key of this response, unique at the table."""


class Responder(Protocol):
    """Responds to the latest entries at a table."""

    def __call__(self, row: models.Table, table: Table) -> Response | None:
        """Return the response to a table whose row is locked, or None.

        This is called again after every response. The response's entries get the time of the last entry, so
        that they use up nobody's time, and must be allowed at that time.
        """


RESPONDERS: list[Responder] = []


def response_to(row: models.Table, table: Table) -> Response | None:
    """The first responder's response to a table, or None."""
    return next((answer for respond in RESPONDERS if (answer := respond(row, table))), None)


PANELS: list[Callable[["TablePresenter"], SafeString]] = []
"""Each returns the HTML of a panel for a viewer; empty for no panel."""
MENU: list[Callable[["TablePresenter"], SafeString]] = []
"""The same for items of the table's menu."""


class NextLink(NamedTuple):
    """A button that leads on after a game: its text and URL."""

    words: str
    address: str


@dataclass(frozen=True)
class GameContext:
    """The tournament that a game is part of."""

    code: str
    name: str
    round: int
    part: str
    """The round in words; empty if games begin at any time."""
    address: str
    is_going: bool
    """Whether more games may follow."""
    next_link: Callable[[Guest | None], NextLink]
    """Returns the button shown to a viewer once the game is over."""


GAME_CONTEXTS: list[Callable[[models.Table], GameContext | None]] = []
"""Each returns the context of a binding table, or None."""


class SeatNotes(Protocol):
    """Returns notes on the people and bots at a table."""

    def __call__(self, row: models.Table, seats: Sequence[models.Seat]) -> Mapping[int, str]:
        """A few words by seat number, in the viewer's language; seats without a note are left out."""


SEAT_NOTES: list[SeatNotes] = []


def game_context_of(row: models.Table, table: Table) -> GameContext | None:
    """The context of a table's game; None if there is none or the table isn't binding."""
    found = (of(row) for of in GAME_CONTEXTS if table.is_binding)
    return next((each for each in found if each), None)


def notes_of(row: models.Table, seats: Sequence[models.Seat]) -> dict[int, str]:
    """The notes of all apps, by seat number."""
    notes: dict[int, str] = {}
    for say in SEAT_NOTES:
        for number, words in say(row, seats).items():
            notes[number] = f"{notes[number]} · {words}" if number in notes else words
    return notes
