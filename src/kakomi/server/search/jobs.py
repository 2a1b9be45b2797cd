"""Openings of finished games, kept some at a time beside whatever else the site does."""

import random
from collections.abc import Sequence

from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.pacing import paced
from kakomi.server.search.models import Opening, Unindexed
from kakomi.server.search.openings import openings_of
from kakomi.server.tables import jobs as tables_jobs
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of

BATCH = 5
"""Games in one transaction."""
MOST = 1000
"""Games in a row."""
SHARE = 1 / 4
"""Of the time, which is taken while there are games to be kept."""


@works_on(lambda now: Unindexed.objects.all())
def index_games() -> None:
    """Keep the openings of the games that wait for it; while many flags fall, these come first."""
    waiting = list(Unindexed.objects.order_by("pk").values_list("table", flat=True)[:MOST])
    random.shuffle(waiting)  # so that processes do different ones
    for start in paced(range(0, len(waiting), BATCH), SHARE):
        if tables_jobs.is_busy():
            return
        _index(waiting[start : start + BATCH])


def _index(numbers: Sequence[int]) -> None:
    rows = Table.objects.filter(pk__in=numbers, unindexed__isnull=False)
    kept = [
        Opening(table=row, key=key, first_share=share)
        for row in rows
        for key, share in openings_of(table_of(row)).items()
    ]
    with writing():
        taken = Unindexed.objects.filter(table__in=numbers)
        list(taken.select_for_update().order_by("pk"))  # locked in one order: nobody waits in a ring
        Opening.objects.bulk_create(kept, ignore_conflicts=True)
        taken.delete()
