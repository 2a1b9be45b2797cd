"""When a tournament is due again: at once, or with the next batch of an arena."""

from functools import partial

from django.db import transaction

from kakomi.server import clock
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.tournaments import GO_ON
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.timing import BATCH_SECONDS


def make_due(row: Tournament) -> None:
    """Have the site look at a locked tournament: at once, or after a few seconds while an arena pairs."""
    now = clock.now()
    pairs = row.pairs_until is not None and now < row.pairs_until
    due_at = now + BATCH_SECONDS if pairs else now
    row.due_at = due_at if row.due_at is None else min(row.due_at, due_at)
    row.save(update_fields=["due_at"])
    if not pairs:
        transaction.on_commit(partial(JOBS.wake, GO_ON))
