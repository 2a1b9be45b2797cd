"""What the site does again and again for ratings."""

from kakomi.server.ratings import ledger, models
from kakomi.server.tables.services import tell_viewers


def rate_results() -> None:
    """Take in all results that are due, pool by pool, and tell who looks at their tables."""
    due = models.Result.objects.filter(is_due=True)
    for pool in sorted(set(due.values_list("pool_id", flat=True))):
        for table in ledger.rate_pool(pool):
            tell_viewers(table)
