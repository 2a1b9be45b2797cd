"""The periodic job for ratings."""

from kakomi.server.ratings import ledger, models
from kakomi.server.site.jobs import has_work_in
from kakomi.server.tables import jobs as tables_jobs
from kakomi.server.tables.services import tell_viewers

TABLES_AT_ONCE = 100
"""Tables per transaction when notifying viewers."""


@has_work_in(lambda now: models.Result.objects.filter(is_due=True))
def rate_results() -> None:
    """Rate all results that are due, pool by pool, and refresh their tables' pages.

    This waits while many flags fall, because each result also causes those that ended after it to be rated
    again.
    """
    due = models.Result.objects.filter(is_due=True)
    pools = sorted(set(due.values_list("pool_id", flat=True)))
    if pools and tables_jobs.is_busy():
        return
    for pool in pools:
        tables = ledger.rate_pool(pool)
        for start in range(0, len(tables), TABLES_AT_ONCE):
            tell_viewers(tables[start : start + TABLES_AT_ONCE])
