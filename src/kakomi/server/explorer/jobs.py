"""The periodic job that indexes the openings of finished games in the background."""

import random
from collections.abc import Sequence

from kakomi.server.explorer.models import Opening, Unindexed
from kakomi.server.explorer.openings import openings_of
from kakomi.server.site.database import writing
from kakomi.server.site.jobs import has_work_in
from kakomi.server.site.pacing import paced
from kakomi.server.tables import jobs as tables_jobs
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import table_of

BATCH = 5
"""Games per transaction."""
MOST = 1000
"""The maximum number of games per run."""
SHARE = 1 / 4
"""The share of the time that the job uses while there are games to index."""


@has_work_in(lambda now: Unindexed.objects.all())
def index_games() -> None:
    """Index the openings of waiting games, unless many time-outs are being processed."""
    waiting = list(Unindexed.objects.order_by("pk").values_list("table", flat=True)[:MOST])
    random.shuffle(waiting)  # so that processes work on different games
    for start in paced(range(0, len(waiting), BATCH), SHARE):
        if tables_jobs.is_busy():
            return
        _index(waiting[start : start + BATCH])


def _index(numbers: Sequence[int]) -> None:
    rows = Table.objects.filter(pk__in=numbers, unindexed__isnull=False)
    openings = [
        Opening(table=row, key=key, first_share=share)
        for row in rows
        for key, share in openings_of(table_of(row)).items()
    ]
    with writing():
        taken = Unindexed.objects.filter(table__in=numbers)
        list(taken.select_for_update().order_by("pk"))  # lock in a fixed order to avoid deadlocks
        Opening.objects.bulk_create(openings, ignore_conflicts=True)
        taken.delete()
