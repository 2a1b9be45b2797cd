"""Notices of the lobby: about seeks and challenges, and at most once a day about new seeks, if requested.

Notices about seeks and challenges are for people whose page is closed, and are written in the transaction of
the change. New seeks are ones that the person could join, for games they have played, over days: a live seek
would end before they read the notice.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, QuerySet
from django.urls import reverse

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.conditions import Visitor, obstacle
from kakomi.server.lobby.models import Seek
from kakomi.server.lobby.selectors import SeekState, waiting_seeks
from kakomi.server.notices.models import Notice, Preference
from kakomi.server.notices.preferences import opted_in
from kakomi.server.notices.services import notify
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.jobs import has_work_in
from kakomi.server.tables.models import Table


def _data(row: Seek) -> dict[str, str]:
    return {"title": catalog.describe(row.game).title, "code": row.code, "address": reverse("lobby")}


def notify_challenge(row: Seek, invitees: Iterable[Guest]) -> None:
    """Notify the challenged people."""
    for invitee in invitees:
        notify(invitee, "challenge", row.code, _data(row), about=row.owner)


def notify_challenge_declined(row: Seek, invitee: Guest) -> None:
    """Notify a challenge's owner that an invitee has declined."""
    notify(row.owner, "challenge_declined", f"{row.code}.{invitee.pk}", _data(row), about=invitee)


def notify_challenge_withdrawn(row: Seek, waiting: Iterable[int]) -> None:
    """Notify the people who have not answered a challenge that it is withdrawn."""
    for guest in waiting:
        notify(guest, "challenge_withdrawn", row.code, _data(row), about=row.owner)


def notify_seek_expired(row: Seek) -> None:
    """Notify the owner of a seek that it has expired."""
    notify(row.owner, "seek_ended", row.code, _data(row))


def notify_game_begun(row: Seek, table: Table, people: Iterable[int]) -> None:
    """Notify the players that their game has begun."""
    for guest in people:
        notify(guest, "game_begun", f"{row.code}.{row.round}", table=table)


KIND = "new_seeks"
PAUSE = 24 * 3600.0
"""The minimum number of seconds between two such notices to one person; a seek counts as new for as long."""


def _wishes_due(now: float) -> "QuerySet[Preference]":
    recent = Notice.objects.filter(kind=KIND, guest=OuterRef("guest")).filter(at__gt=now - PAUSE)
    return opted_in(KIND).exclude(Exists(recent))


@has_work_in(_wishes_due)
def notify_new_seeks() -> None:
    """Notify the people who want it about new seeks that they could join."""
    guests = set(_wishes_due(clock.now()).values_list("guest", flat=True))
    seeks = [seek for seek in waiting_seeks() if seek.row.pace == "days"] if guests else []
    for number in sorted(guests) if seeks else ():
        with writing():
            guest = Guest.objects.select_for_update(no_key=True).get(pk=number)  # one process at a time
            now = clock.now()
            if _wishes_due(now).filter(guest=guest).exists():
                _notify_guest(guest, seeks, now)


def _notify_guest(guest: Guest, seeks: Sequence[SeekState], now: float) -> None:
    visitor = Visitor.of(guest)
    played = set(Table.objects.filter(seats__guest=guest).values_list("game", flat=True))
    new = [seek for seek in seeks if seek.row.created_at > now - PAUSE and seek.row.game in played]
    fit = [seek for seek in new if guest.pk not in seek.numbers and visitor.sees(seek)]
    found = [seek for seek in fit if not obstacle(seek, visitor)]
    if found:
        titles = dict.fromkeys(str(catalog.describe(seek.row.game).title) for seek in found)
        data = {"titles": ", ".join(titles), "address": reverse("lobby")}
        notify(guest, KIND, f"{max(seek.row.pk for seek in found)}", data)
