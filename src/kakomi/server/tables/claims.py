"""Which process thinks for which table's bot."""

import secrets
from collections.abc import Collection

from django.db import connection
from django.db.models import QuerySet

from kakomi.server import clock
from kakomi.server.database import outside_requests
from kakomi.server.tables import models

CLAIM_SECONDS = 4.0
"""Seconds until another process takes over a bot whose process was killed or whose thinking failed."""
RENEW_SECONDS = 1.0


_UNCLAIMED = """
SELECT code FROM tables_table WHERE waits_for_bot AND claimed_until < %s AND NOT EXISTS (
    SELECT 1 FROM tables_seat AS free
    WHERE free.table_id = tables_table.id AND free.guest_id IS NULL AND free.bot = ''
)
"""
"""Asked for several times a second."""


class Claims:
    """One process's claims to think for the bots of tables. A claim ends with the table's next entry."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(16)

    @outside_requests
    def unclaimed(self) -> list[str]:
        """The codes of all tables with a bot to act that no process has claimed."""
        with connection.cursor() as cursor:
            cursor.execute(_UNCLAIMED, [clock.now()])
            return [code for (code,) in cursor.fetchall()]

    @outside_requests
    def take(self, code: str) -> bool:
        """Claim a table; False if another process was quicker."""
        until = clock.now() + CLAIM_SECONDS
        return bool(_open().filter(code=code).update(thinker=self._name, claimed_until=until))

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


def _open() -> "QuerySet[models.Table]":
    return models.Table.objects.filter(waits_for_bot=True, claimed_until__lt=clock.now())
