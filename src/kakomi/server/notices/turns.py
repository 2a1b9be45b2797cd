"""Whose turn it is, as notices: one a table, of whoever is to act there among several people.

A turn is told of with every action of people, so it costs one statement. It is always the same row of a
table that passes from one to the next: nobody has two notices of one table.
"""

from functools import partial

from django.db import connection, transaction

from kakomi.server import clock
from kakomi.server.notices.kinds import TURN
from kakomi.server.notices.models import Notice
from kakomi.server.notices.services import HANDING_ON
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.tables.models import Table

_POINT = """
INSERT INTO notices_notice (guest_id, kind, key, table_id, at, occurrence, is_waiting)
SELECT seat.guest_id, 'turn', %s, seat.table_id, %s, %s, EXISTS (
    SELECT 1 FROM notices_endpoint AS point WHERE point.guest_id = seat.guest_id AND point.is_on
)
FROM tables_seat AS seat
WHERE seat.table_id = %s AND seat.number = %s AND seat.guest_id IS NOT NULL
AND EXISTS (
    SELECT 1 FROM tables_seat AS other
    WHERE other.table_id = seat.table_id AND other.guest_id <> seat.guest_id
)
AND (%s OR NOT EXISTS (
    SELECT 1 FROM tables_seat AS free
    WHERE free.table_id = seat.table_id AND free.guest_id IS NULL AND free.bot = ''
))
ON CONFLICT (key) DO UPDATE SET
    guest_id = excluded.guest_id, at = excluded.at, occurrence = excluded.occurrence,
    read_at = NULL, mailed_at = NULL, is_waiting = excluded.is_waiting
RETURNING is_waiting
"""


def point_turn(row: Table) -> None:
    """Tell whoever is to act at a table, if it is one of several people, and nobody else any more."""
    with connection.cursor() as cursor:
        values: list[str | float | None] = [
            _key(row),
            clock.now(),
            row.entries,
            row.pk,
            row.to_act,
            row.entries > 0,
        ]
        cursor.execute(_POINT, values)
        found = cursor.fetchone()
    if found and found[0]:
        transaction.on_commit(partial(JOBS.wake, HANDING_ON))


def end_turn(row: Table) -> None:
    """Nobody is told any more that it is their turn at a table."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM notices_notice WHERE key = %s", [_key(row)])


def is_pressing(notice: Notice) -> bool:
    """Whether what is said of somebody's time at a table is still of the turn that they have."""
    turn = Notice.objects.filter(key=f"{TURN}.{notice.table_id}", guest=notice.guest_id)
    return turn.filter(at__lte=notice.at).exists()


def _key(row: Table) -> str:
    return f"{TURN}.{row.pk}"
