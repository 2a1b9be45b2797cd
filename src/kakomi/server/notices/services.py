"""Notices: written, read and counted; and whose turn it is.

Apps call `notify` inside the transaction that makes what it tells of. A turn becomes a notice with each
action of people, so it costs one statement. It is always the same row of a table that passes from one to the
next: nobody has two notices of one table.
"""

import json
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.notices.kinds import KINDS, LASTING, TURN, WISHED
from kakomi.server.notices.models import KEY_LENGTH, Notice, Wish
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.tables.models import Table

HANDING_ON = "kakomi.server.notices.jobs.hand_on"
"""The job that hands notices on to endpoints."""
_TELL = """
INSERT INTO notices_notice (guest_id, kind, key, table_id, about_id, data, at, occurrence, is_waiting)
VALUES {rows}
ON CONFLICT (key) DO NOTHING
RETURNING guest_id, is_waiting
"""
_ROW = """(%s, %s, %s, %s, %s, %s, %s, 0, EXISTS (
    SELECT 1 FROM notices_endpoint AS point WHERE point.guest_id = %s AND point.is_on
))"""
"""All are told by one statement, as many are told at once where many clocks run out together."""


def notify(
    guest: Guest | int,
    kind: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    *,
    table: Table | None = None,
    about: Guest | None = None,
) -> bool:
    """Tell a guest (or the guest of a number) something, once; False if they were told before.

    `key` names what happened, for this kind and guest: `seek.17`. `about` is the person whom the words name.
    `data` has what else they need, a title in English; an `address` there is the page that it leads to, and a
    `page` is one about that person, else it is the table's. Call it inside the transaction of its cause.
    Raises ValueError for an unknown kind, or if something is missing.
    """
    told = [guest if isinstance(guest, int) else guest.pk]
    return bool(notify_all(told, kind, key, data, table=table, about=about))


def notify_all(
    guests: Collection[int],
    kind: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    *,
    table: Table | None = None,
    about: Guest | None = None,
) -> set[int]:
    """Tell the guests of some numbers the same, as `notify` does; the numbers of those who were told now."""
    known = KINDS.get(kind)
    if known is None or set(known.needs) - set(data or ()) - ({"name"} if about else set()):
        raise ValueError(f"there is no notice {kind!r} with no more than {data!r}")
    if not guests:
        return set()
    told, now = json.dumps(dict(data or {})), clock.now()
    values: list[Any] = []
    for pk in guests:
        values += [pk, kind, _named(kind, key, pk), table and table.pk, about and about.pk, told, now, pk]
    with connection.cursor() as cursor:
        cursor.execute(_TELL.format(rows=", ".join([_ROW] * len(guests))), values)
        found = cursor.fetchall()
    if any(is_waiting for _, is_waiting in found):
        transaction.on_commit(partial(JOBS.wake, HANDING_ON))
    return {pk for pk, _ in found}


def kept_in(row: Model, field: str) -> dict[str, Any]:
    """What a notice's data have in place of a text that somebody wrote: where it is kept."""
    return {"in": row._meta.label_lower, "row": row.pk, "field": field}


def _named(kind: str, key: str, pk: int) -> str:
    named = f"{kind}.{key}.{pk}"
    if len(named) > KEY_LENGTH:
        raise ValueError(f"a notice's key may have {KEY_LENGTH} characters: {named!r}")
    return named


def read(guest: Guest, number: int) -> Notice | None:
    """Note that a guest opens a notice, and return it; None if it is none of theirs."""
    notice = Notice.objects.select_related("table").filter(guest=guest, pk=number).first()
    if notice and notice.read_at is None and not KINDS[notice.kind].is_lasting:
        notice.read_at = clock.now()
        notice.save(update_fields=["read_at"])
    return notice


def read_all(guest: Guest, *, table: str = "") -> None:
    """Note that a guest has seen all that they were told, or all of one table; what lasts stays."""
    unread = Notice.objects.filter(guest=guest, read_at=None).exclude(kind__in=LASTING)
    if table:
        unread = unread.filter(table__code=table)
    unread.update(read_at=clock.now())


def read_under(kind: str, key: str, guest: Guest | None = None) -> None:
    """Note that a guest, or whoever was told, has seen what was told of a kind under keys that begin so."""
    told = Notice.objects.filter(kind=kind, key__startswith=f"{kind}.{key}", read_at=None)
    (told if guest is None else told.filter(guest=guest)).update(read_at=clock.now())


MOST_SHOWN = 50
"""Notices on a page."""
COUNTED = 99
"""The bell counts no further."""


def unread(guest: Guest) -> "QuerySet[Notice]":
    """What a guest has not seen yet of what the page tells them, turns that wait included."""
    return on_page(guest).filter(read_at=None)


def on_page(guest: Guest) -> "QuerySet[Notice]":
    """What the page tells a guest."""
    said = Wish.objects.filter(guest=guest, channel="page")
    unwanted, wished = said.filter(is_on=False), said.filter(is_on=True)
    told = Notice.objects.filter(guest=guest).exclude(kind__in=unwanted.values("kind"))
    return told.exclude(Q(kind__in=WISHED) & ~Q(kind__in=wished.values("kind")))


def count_unread(guest: Guest | None) -> int:
    """How much a guest has not seen yet."""
    if guest is None:
        return 0
    return len(unread(guest).values_list("pk")[:COUNTED])


def latest(guest: Guest) -> list[Notice]:
    """What a guest was told lately, the latest first, with tables and who sits there."""
    told = on_page(guest).order_by("-at", "-pk")
    return list(told.select_related("table", "about").prefetch_related("table__seats__guest")[:MOST_SHOWN])


def count_seen_at(guest: Guest, table: str) -> int:
    """How much of what a guest has not seen is of a table and is seen by looking at it."""
    return unread(guest).filter(table__code=table).exclude(kind__in=LASTING).count()


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
