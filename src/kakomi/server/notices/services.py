"""Write, read and count notices, including those that tell people it is their turn.

Apps call `notify` inside the transaction of the event. Turn notices change with each action at a table, so
they take a single statement: each table has one row, which passes from guest to guest.
"""

import json
import re
from collections.abc import Collection, Mapping, Set
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Model, Q, QuerySet

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.notices.kinds import KINDS, LASTING, OFF_BY_DEFAULT, TURN
from kakomi.server.notices.models import KEY_LENGTH, Delivery, Notice, Preference
from kakomi.server.operations.periodic_jobs import JOBS
from kakomi.server.site import clock
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import GONE

PUSH_JOB = "kakomi.server.notices.jobs.create_push_deliveries"
"""The job that creates push deliveries."""
_INSERT_NOTICES = """
INSERT INTO notices_notice (guest_id, kind, key, table_id, about_id, data, at, occurrence, needs_push)
VALUES {rows}
ON CONFLICT (key) DO NOTHING
RETURNING guest_id, needs_push
"""
_ROW = """(%s, %s, %s, %s, %s, %s, %s, 0, EXISTS (
    SELECT 1 FROM notices_endpoint AS point WHERE point.guest_id = %s AND point.is_on
))"""
"""One statement inserts all rows, because many clocks may run out at the same time."""


def notify(
    guest: Guest | int,
    kind: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    *,
    table: Table | None = None,
    about: Guest | None = None,
) -> bool:
    """Create a notice for a guest, given as row or primary key; False if it exists already.

    `key` identifies the event within this kind and guest: `seek.17`. `about` is the person named in the text.
    `data` holds the text's other values, with titles in English. The notice leads to the route `page`
    in `data` for `about`, else to the path `address` there, else to the table. Call in the transaction of the
    cause. Raises `ValueError` for an unknown kind or missing values.
    """
    guests = [guest if isinstance(guest, int) else guest.pk]
    return bool(notify_all(guests, kind, key, data, table=table, about=about))


def notify_all(
    guests: Collection[int],
    kind: str,
    key: str,
    data: Mapping[str, Any] | None = None,
    *,
    table: Table | None = None,
    about: Guest | None = None,
) -> set[int]:
    """Create the same notice for several guests, like `notify`; return the keys of those it is new to."""
    known = KINDS.get(kind)
    if known is None or set(known.needs) - set(data or ()) - ({"name"} if about else set()):
        raise ValueError(f"there is no notice {kind!r} with no more than {data!r}")
    if not guests:
        return set()
    encoded, now = json.dumps(dict(data or {})), clock.now()
    values: list[Any] = []
    for pk in guests:
        values += [pk, kind, _named(kind, key, pk), table and table.pk, about and about.pk, encoded, now, pk]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_NOTICES.format(rows=", ".join([_ROW] * len(guests))), values)
        found = cursor.fetchall()
    if any(needs_push for _, needs_push in found):
        transaction.on_commit(partial(JOBS.wake, PUSH_JOB))
    return {pk for pk, _ in found}


def text_reference(row: Model, field: str) -> dict[str, Any]:
    """A reference to a text that a person wrote, for a notice's data to hold in place of the text itself."""
    return {"in": row._meta.label_lower, "row": row.pk, "field": field}


def _named(kind: str, key: str, pk: int) -> str:
    named = f"{kind}.{key}.{pk}"
    if len(named) > KEY_LENGTH:
        raise ValueError(f"a notice's key may have {KEY_LENGTH} characters: {named!r}")
    return named


def mark_read(guest: Guest, number: int) -> Notice | None:
    """Mark a notice as read, unless its kind is lasting, and return it; None if it isn't the guest's."""
    notice = Notice.objects.select_related("table").filter(guest=guest, pk=number).first()
    if notice and notice.read_at is None and not KINDS[notice.kind].is_lasting:
        notice.read_at = clock.now()
        notice.save(update_fields=["read_at"])
    return notice


def mark_all_read(guest: Guest, *, table: str = "") -> None:
    """Mark all of a guest's notices as read, or those of one table, except lasting kinds."""
    unread = Notice.objects.filter(guest=guest, read_at=None).exclude(kind__in=LASTING)
    if table:
        unread = unread.filter(table__code=table)
    unread.update(read_at=clock.now())


def mark_key_read(kind: str, key: str, guest: Guest | None = None) -> None:
    """Mark notices of a kind whose keys begin with `key` as read, for one guest or for everyone."""
    found = Notice.objects.filter(kind=kind, key__startswith=f"{kind}.{key}", read_at=None)
    (found if guest is None else found.filter(guest=guest)).update(read_at=clock.now())


MOST_SHOWN = 50
"""Notices shown on the page."""
COUNTED = 99
"""The highest count that the bell shows."""


def unread(guest: Guest) -> "QuerySet[Notice]":
    """A guest's unread notices on the page, including pending turns."""
    return on_page(guest).filter(read_at=None)


def on_page(guest: Guest) -> "QuerySet[Notice]":
    """The guest's notices of the kinds that they want on the page."""
    stored = Preference.objects.filter(guest=guest, channel="page")
    unwanted, wanted = stored.filter(is_on=False), stored.filter(is_on=True)
    notices = Notice.objects.filter(guest=guest).exclude(kind__in=unwanted.values("kind"))
    return notices.exclude(Q(kind__in=OFF_BY_DEFAULT) & ~Q(kind__in=wanted.values("kind")))


def count_unread(guest: Guest | None) -> int:
    """How many unread notices a guest has, at most `COUNTED`."""
    if guest is None:
        return 0
    return len(unread(guest).values_list("pk")[:COUNTED])


def latest(guest: Guest) -> list[Notice]:
    """A guest's latest notices, newest first, with tables, seats and guests prefetched."""
    notices = on_page(guest).order_by("-at", "-pk")
    return list(notices.select_related("table", "about").prefetch_related("table__seats__guest")[:MOST_SHOWN])


def count_seen_at(guest: Guest, table: str) -> int:
    """How many of a guest's unread notices are about a table and would be read by viewing it."""
    return unread(guest).filter(table__code=table).exclude(kind__in=LASTING).count()


_MOVE_TURN = """
INSERT INTO notices_notice (guest_id, kind, key, table_id, at, occurrence, needs_push)
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
    read_at = NULL, mailed_at = NULL, needs_push = excluded.needs_push
RETURNING needs_push
"""


def move_turn_notice(row: Table) -> None:
    """Move a table's turn notice to the guest to act, if several people play there."""
    with connection.cursor() as cursor:
        values: list[str | float | None] = [
            _key(row),
            clock.now(),
            row.entries,
            row.pk,
            row.to_act,
            row.entries > 0,
        ]
        cursor.execute(_MOVE_TURN, values)
        found = cursor.fetchone()
    if found and found[0]:
        transaction.on_commit(partial(JOBS.wake, PUSH_JOB))


def delete_turn_notice(row: Table) -> None:
    """Delete a table's turn notice."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM notices_notice WHERE key = %s", [_key(row)])


def is_pressing(notice: Notice) -> bool:
    """Whether a notice about time is still about its guest's current turn."""
    turn = Notice.objects.filter(key=f"{TURN}.{notice.table_id}", guest=notice.guest_id)
    return turn.filter(at__lte=notice.at).exists()


def _key(row: Table) -> str:
    return f"{TURN}.{row.pk}"


def forget_names(names: Set[str], addresses: Set[str]) -> None:
    """Delete the deliveries to some addresses, and replace names in all others."""
    known = {address.lower() for address in addresses}
    named = pattern_of(names | addresses)
    for delivery in Delivery.objects.only("content").order_by("pk").iterator():
        if str(delivery.content.get("to", "")).lower() in known:
            delivery.delete()
        elif named and (without := _without(delivery.content, named)) != delivery.content:
            Delivery.objects.filter(pk=delivery.pk).update(content=without)


def _without(content: Any, named: "re.Pattern[str]") -> Any:
    """JSON data with the names in its strings replaced."""
    match content:
        case str():
            return named.sub(GONE, content)
        case dict():
            return {key: _without(value, named) for key, value in content.items()}
        case list():
            return [_without(value, named) for value in content]
    return content
