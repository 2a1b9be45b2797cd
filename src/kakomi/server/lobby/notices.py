"""Notices of the lobby: answers to seeks and challenges, and once a day new seeks for those who wish it.

Notices of seeks and challenges are for people whose page is closed, and written with what they tell of. New
seeks are of games that somebody plays and could join, and over days: a live one ends before anybody reads it.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from kakomi import catalog
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.database import writing
from kakomi.server.job_questions import works_on
from kakomi.server.lobby.conditions import Visitor, obstacle
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.selectors import SeekState, waiting_seeks
from kakomi.server.notices.models import Notice, Wish
from kakomi.server.notices.preferences import wishers
from kakomi.server.notices.services import notify
from kakomi.server.tables.models import Table


def _data(row: Seek) -> dict[str, str]:
    return {"title": catalog.describe(row.game).title, "code": row.code, "address": reverse("lobby")}


def tell_challenge(row: Seek, invitees: Iterable[Guest]) -> None:
    """Those who are challenged hear of it."""
    for invitee in invitees:
        notify(invitee, "challenge", row.code, _data(row), about=row.owner)


def tell_declined(row: Seek, invitee: Guest) -> None:
    """The owner of a challenge hears who declines it."""
    notify(row.owner, "challenge_declined", f"{row.code}.{invitee.pk}", _data(row), about=invitee)


def tell_withdrawn(row: Seek, waiting: Iterable[int]) -> None:
    """Those who have not answered a challenge hear that it is withdrawn."""
    for guest in waiting:
        notify(guest, "challenge_withdrawn", row.code, _data(row), about=row.owner)


def tell_ended(row: Seek) -> None:
    """The owner of a seek that nobody took in time hears of it."""
    notify(row.owner, "seek_ended", row.code, _data(row))


def tell_begun(row: Seek, table: Table, people: Iterable[int]) -> None:
    """Everybody hears that their game has begun."""
    for guest in people:
        notify(guest, "game_begun", f"{row.code}.{row.round}", table=table)


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
