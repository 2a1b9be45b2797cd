"""Openings of finished games, kept some at a time beside whatever else the site does."""

from kakomi.server.database import writing
from kakomi.server.search.models import Opening, Unindexed
from kakomi.server.search.openings import opening_keys
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of

BATCH = 20
"""Games in one transaction."""
MOST = 50
"""Batches in a row; then somebody else may have the processor."""


def index_games() -> None:
    """Keep the openings of the games that wait for it."""
    for _ in range(MOST):
        waiting = list(Unindexed.objects.order_by("pk").values_list("pk", "table")[:BATCH])
        if not waiting:
            return
        found = {row.pk: row for row in Table.objects.filter(pk__in=[table for _, table in waiting])}
        kept = [
            Opening(table=row, key=key) for row in found.values() for key in set(opening_keys(table_of(row)))
        ]
        with writing():
            Opening.objects.bulk_create(kept, ignore_conflicts=True)
            Unindexed.objects.filter(pk__in=[number for number, _ in waiting]).delete()
