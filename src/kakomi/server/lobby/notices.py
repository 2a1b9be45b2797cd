"""Notices of the lobby: what somebody hears of whose page is closed. Written with what they tell of."""

from collections.abc import Iterable

from django.urls import reverse

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby.models import Seek
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
