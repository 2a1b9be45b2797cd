"""What staff decide about results."""

from functools import partial

from django.db import transaction

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import User
from kakomi.server.database import writing
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.ratings import RATE_RESULTS, models
from kakomi.session import Refused

LONGEST_REASON = 300


def annul(result: models.Result, *, by: User | None, reason: str) -> models.Ruling | None:
    """Have a result count for nobody, for a reason that is kept; None if it doesn't count already.

    All that follows it in its pool is rated again. Raises Refused without a reason.
    """
    return _rule(result, by, reason, annuls=True)


def reinstate(result: models.Result, *, by: User | None, reason: str) -> models.Ruling | None:
    """Have an annulled result count again; None if it does already. Raises Refused without a reason."""
    return _rule(result, by, reason, annuls=False)


def _rule(result: models.Result, by: User | None, reason: str, *, annuls: bool) -> models.Ruling | None:
    reason = reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON:
        raise Refused(
            lazy_message("write the reason, in {most} characters at most: it is kept", most=LONGEST_REASON)
        )
    with writing():
        models.Pool.objects.select_for_update().get(pk=result.pool_id)  # nobody is rating it meanwhile
        row = models.Result.objects.select_for_update().get(pk=result.pk)
        if row.is_annulled == annuls:
            return None
        row.is_annulled, row.is_due = annuls, True
        row.save(update_fields=["is_annulled", "is_due"])
        ruling = models.Ruling.objects.create(result=row, by=by, at=clock.now(), annuls=annuls, reason=reason)
        transaction.on_commit(partial(JOBS.wake, RATE_RESULTS))
    return ruling
