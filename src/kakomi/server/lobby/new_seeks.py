"""New seeks, told once a day to those who wish it: of games that they play, and that they could join.

Those over days alone: a live one has ended before anybody reads of it.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.lobby.conditions import Visitor, obstacle
from kakomi.server.lobby.selectors import SeekState, waiting_seeks
from kakomi.server.notices.models import Notice, Wish
from kakomi.server.notices.preferences import wishers
from kakomi.server.notices.services import notify
from kakomi.server.tables.models import Table

KIND = "new_seeks"
PAUSE = 24 * 3600.0
"""Seconds between two such notices to one person; a seek is new for as long."""


def _untold(now: float) -> "QuerySet[Wish]":
    told = Notice.objects.filter(kind=KIND, guest=OuterRef("guest")).filter(at__gt=now - PAUSE)
    return wishers(KIND).exclude(Exists(told))


@works_on(_untold)
def tell_new_seeks() -> None:
    """Tell those who wish it that people look for opponents."""
    guests = set(_untold(clock.now()).values_list("guest", flat=True))
    seeks = [seek for seek in waiting_seeks() if seek.row.pace == "days"] if guests else []
    for number in sorted(guests) if seeks else ():
        with writing():
            guest = Guest.objects.select_for_update(no_key=True).get(pk=number)  # one process after the other
            now = clock.now()
            if _untold(now).filter(guest=guest).exists():
                _tell(guest, seeks, now)


def _tell(guest: Guest, seeks: Sequence[SeekState], now: float) -> None:
    visitor = Visitor.of(guest)
    played = set(Table.objects.filter(seats__guest=guest).values_list("game", flat=True))
    new = [seek for seek in seeks if seek.row.created_at > now - PAUSE and seek.row.game in played]
    fit = [seek for seek in new if guest.pk not in seek.numbers and visitor.sees(seek)]
    found = [seek for seek in fit if not obstacle(seek, visitor)]
    if found:
        titles = dict.fromkeys(str(catalog.describe(seek.row.game).title) for seek in found)
        data = {"titles": ", ".join(titles), "address": reverse("lobby")}
        notify(guest, KIND, f"{max(seek.row.pk for seek in found)}", data)
