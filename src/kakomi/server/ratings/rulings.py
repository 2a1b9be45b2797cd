"""Decisions of staff and tournament directors about results."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import User
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import RATE_RESULTS, models
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.tables.models import Table
from kakomi.session import Refused

LONGEST_REASON = 300


def annul(result: models.Result, *, by: User | None, reason: str) -> models.Ruling | None:
    """Annul a result, so that it counts for nobody; None if it is annulled already.

    All later results of its pool are rated again. Raises `Refused` without a reason.
    """
    return _decide(result, by, reason, annuls=True)


def reinstate(result: models.Result, *, by: User | None, reason: str) -> models.Ruling | None:
    """Have an annulled result count again; None if it counts already. Raises `Refused` without a reason."""
    return _decide(result, by, reason, annuls=False)


def correct(table: Table, places: Sequence[int], reason: str) -> models.Correction | None:
    """Correct the places of a table's result, by seat; None if it isn't rated or has those places already.

    All later results of its pool are rated again. Correcting to the places as played undoes earlier
    corrections. The caller has to check the reason.
    """
    known = models.Result.objects.filter(table=table).values_list("pk", "pool").first()
    if known is None:
        return None
    with writing():
        models.Pool.objects.select_for_update().get(pk=known[1])  # excludes `rate_pool`
        row = models.Result.objects.select_for_update().get(pk=known[0])
        entrants = list(row.entrants.order_by("seat"))
        if [entrant.counted_place for entrant in entrants] == list(places):
            return None
        is_as_played = [entrant.place for entrant in entrants] == list(places)
        for entrant, place in zip(entrants, places, strict=True):
            entrant.corrected_place = None if is_as_played else place
            entrant.save(update_fields=["corrected_place"])
        row.is_due = True
        row.save(update_fields=["is_due"])
        correction = row.corrections.create(
            at=clock.now(), places=list(places), reason=reason[:LONGEST_REASON]
        )
        transaction.on_commit(partial(JOBS.wake, RATE_RESULTS))
    return correction


def _decide(result: models.Result, by: User | None, reason: str, *, annuls: bool) -> models.Ruling | None:
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused(
            lazy_message("enter a reason of up to {most} characters: it will be stored", most=LONGEST_REASON)
        )
    with writing():
        models.Pool.objects.select_for_update().get(pk=result.pool_id)  # excludes `rate_pool`
        row = models.Result.objects.select_for_update().get(pk=result.pk)
        if row.is_annulled == annuls:
            return None
        row.is_annulled, row.is_due = annuls, True
        row.save(update_fields=["is_annulled", "is_due"])
        ruling = models.Ruling.objects.create(result=row, by=by, at=clock.now(), annuls=annuls, reason=reason)
        transaction.on_commit(partial(JOBS.wake, RATE_RESULTS))
    return ruling
