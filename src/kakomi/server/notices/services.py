"""What writes notices. Other apps call `notify` inside the transaction that makes what it tells of."""

import json
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.notices.kinds import KINDS, LASTING
from kakomi.server.notices.models import KEY_LENGTH, Notice
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
