"""What the site does again and again for ratings."""

from kakomi.server.job_questions import works_on
from kakomi.server.ratings import ledger, models
from kakomi.server.tables.services import tell_viewers

TOLD_AT_ONCE = 100
"""Tables whose viewers are told in one transaction."""


@works_on(lambda now: models.Result.objects.filter(is_due=True))
def rate_results() -> None:
    """Take in all results that are due, pool by pool, and tell who looks at their tables."""
    due = models.Result.objects.filter(is_due=True)
    for pool in sorted(set(due.values_list("pool_id", flat=True))):
        told = ledger.rate_pool(pool)
        for start in range(0, len(told), TOLD_AT_ONCE):
            tell_viewers(told[start : start + TOLD_AT_ONCE])
