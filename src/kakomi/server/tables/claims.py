"""Which process thinks for which table's bot."""

import secrets
from collections.abc import Collection

from django.db.models import Exists, OuterRef, QuerySet

from kakomi.server import clock
from kakomi.server.database import outside_requests
from kakomi.server.job_questions import Work
from kakomi.server.tables import models

CLAIM_SECONDS = 4.0
"""Seconds until another process takes over a bot whose process was killed or whose thinking failed."""
RENEW_SECONDS = 1.0


class Claims:
    """One process's claims to think for the bots of tables. A claim ends with the table's next entry."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)

    @outside_requests
    def unclaimed(self) -> list[str]:
        """The codes of all tables with a bot to act that no process has claimed."""
        now = clock.now()
        return list(_unclaimed(now).values_list("code", flat=True)) if _UNCLAIMED.is_there(now) else []

    @outside_requests
    def take(self, code: str) -> bool:
        """Claim a table; False if another process was quicker."""
        until = clock.now() + CLAIM_SECONDS
        return bool(_open(clock.now()).filter(code=code).update(thinker=self._name, claimed_until=until))

    @outside_requests
    def renew(self, codes: Collection[str]) -> None:
        """Go on claiming those of these tables that are still claimed."""
        until = clock.now() + CLAIM_SECONDS
        self._own().filter(code__in=codes).update(claimed_until=until)

    @outside_requests
    def give_up(self) -> None:
        """Leave all tables to others."""
        self._own().update(claimed_until=0.0)

    def _own(self) -> "QuerySet[models.Table]":
        return models.Table.objects.filter(waits_for_bot=True, thinker=self._name, claimed_until__gt=0.0)


def _open(now: float) -> "QuerySet[models.Table]":
    return models.Table.objects.filter(waits_for_bot=True, claimed_until__lt=now)


def _unclaimed(now: float) -> "QuerySet[models.Table]":
    """All tables with a bot to act that no process has claimed."""
    nobody_there = models.Seat.objects.filter(table=OuterRef("pk"), guest=None, bot="")
    return _open(now).filter(~Exists(nobody_there))


_UNCLAIMED = Work(_unclaimed)
