"""Notices of a guest who turns out to be a user: they become the user's, each of them once."""

from django.db.models import Exists, OuterRef, QuerySet

from kakomi.server.accounts.models import Guest
from kakomi.server.notices.kinds import TURN
from kakomi.server.notices.models import Delivery, Mailing, Notice, Wish
from kakomi.server.tables.models import Seat


def take_over_notices(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest the notices of another one, what they wish, and what is on its way.

    Must be inside a transaction, and come after the seats. What both have chosen stays as `guest` has it.
    Push ends with the other one's sessions.
    """
    Delivery.objects.filter(guest=left).update(guest=guest)
    wanted = guest.notice_wishes.filter(kind=OuterRef("kind"), channel=OuterRef("channel"))
    _move(Wish.objects.filter(guest=left), Exists(wanted), guest)
    _move(Mailing.objects.filter(guest=left), Exists(Mailing.objects.filter(guest=guest)), guest)
    Notice.objects.filter(about=left).update(about=guest)
    for notice in Notice.objects.filter(guest=left).order_by("pk"):
        _take_over(notice, guest)
    _end_turns_alone(guest)


def _move(rows: "QuerySet[Wish] | QuerySet[Mailing]", is_known: Exists, guest: Guest) -> None:
    rows.filter(is_known).delete()
    rows.update(guest=guest)


def _take_over(notice: Notice, guest: Guest) -> None:
    """Keys end in whom they are for, but those of turns: of two for the same thing one stays."""
    key = notice.key.removesuffix(f".{notice.guest_id}")
    if notice.kind != TURN:
        key = f"{key}.{guest.pk}"
        if Notice.objects.filter(key=key).exists():
            notice.delete()
            return
    Notice.objects.filter(pk=notice.pk).update(guest=guest, key=key)


def _end_turns_alone(guest: Guest) -> None:
    """Who sat at both sides of a table is told no more that it is their turn there."""
    others = Seat.objects.filter(table=OuterRef("table"), guest__isnull=False).exclude(guest=guest)
    Notice.objects.filter(~Exists(others), guest=guest, kind=TURN).delete()
