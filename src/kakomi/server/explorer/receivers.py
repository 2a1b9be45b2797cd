"""The search app's signal receiver, called in the transaction of the table's entries."""

from kakomi.server.explorer.models import Unindexed
from kakomi.server.site.django_private import insert
from kakomi.server.tables import models
from kakomi.session import Table


def on_entries_added(row: models.Table, before: Table, table: Table, **_: object) -> None:
    """Queue a match that has just ended for indexing."""
    if table.is_over and not before.is_over:
        insert([Unindexed(table=row)], ignore_conflicts=True)
