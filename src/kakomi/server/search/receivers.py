"""What tables tell: a game that ends is kept in mind, in the same transaction."""

from kakomi.server.django_private import insert
from kakomi.server.search.models import Unindexed
from kakomi.server.tables import models
from kakomi.session import Table


def hear_of_entries(row: models.Table, before: Table, table: Table, **_: object) -> None:
    """A match is over: its openings are to be kept."""
    if table.is_over and not before.is_over:
        insert([Unindexed(table=row)], ignore_conflicts=True)
