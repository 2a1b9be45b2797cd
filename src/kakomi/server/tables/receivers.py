"""What tables hear from other apps: a guest turns out to be a user."""

from django.db.models import F

from kakomi.server.accounts.models import Guest
from kakomi.server.realtime import announce
from kakomi.server.rests import services as rests_services
from kakomi.server.tables.models import Table


def take_over_seats(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest all seats of another one. Who sat at both sides of a table shares a screen there now.

    Their rests come with them. Must be inside a transaction.
    """
    theirs = Table.objects.filter(seats__guest=left).values("pk")
    for row in Table.objects.select_for_update().filter(pk__in=theirs).order_by("pk"):
        row.seats.filter(guest=left).update(guest=guest)
        Table.objects.filter(pk=row.pk).update(news=F("news") + 1)
        announce(row.code, row.news + 1)
    rests_services.join(left, guest)
