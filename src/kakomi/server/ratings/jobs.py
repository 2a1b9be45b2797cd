"""What the site does again and again for ratings."""

from kakomi.server.job_questions import works_on
from kakomi.server.ratings import ledger, models
from kakomi.server.tables import jobs as tables_jobs
from kakomi.server.tables.services import tell_viewers

TOLD_AT_ONCE = 100
"""Tables whose viewers are told in one transaction."""


@works_on(lambda now: models.Result.objects.filter(is_due=True))
def rate_results() -> None:
    """Take in all results that are due, pool by pool, and tell who looks at their tables.

    While many flags fall this waits: each that is taken in has those rated again that ended after it.
    """
    due = models.Result.objects.filter(is_due=True)
    pools = sorted(set(due.values_list("pool_id", flat=True)))
    if pools and tables_jobs.is_busy():
        return
    for pool in pools:
        told = ledger.rate_pool(pool)
        for start in range(0, len(told), TOLD_AT_ONCE):
            tell_viewers(told[start : start + TOLD_AT_ONCE])
