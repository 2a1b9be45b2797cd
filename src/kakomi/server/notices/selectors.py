"""Queries for notices."""

from django.db.models import Q, QuerySet

from kakomi.server.accounts.models import Guest
from kakomi.server.notices.kinds import LASTING, WISHED
from kakomi.server.notices.models import Notice, Wish

MOST = 50
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
    return list(told.select_related("table", "about").prefetch_related("table__seats__guest")[:MOST])


def count_seen_at(guest: Guest, table: str) -> int:
    """How much of what a guest has not seen is of a table and is seen by looking at it."""
    return unread(guest).filter(table__code=table).exclude(kind__in=LASTING).count()
