"""What answers an entry at once, in the transaction that adds it: conditional plans, say.

Apps that are built on tables add theirs to `RESPONDERS` when Django is ready.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from kakomi.server.tables import models
from kakomi.server.tables.commands import Value
from kakomi.session import Table


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
