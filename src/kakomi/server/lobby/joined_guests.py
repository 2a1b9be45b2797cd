"""Seeks of a guest who turns out to be a user: they become the user's, as do places in those of others."""

from django.db.models import Q

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.models import KEY_LENGTH, Invitee, LobbyGuest, Place, Seek
from kakomi.server.lobby.services import end, let_go


def people_beside(*, left: Guest, guest: Guest, **_: object) -> set[int]:
    """The numbers of all who wait with one of two guests: their locks are needed to change those seeks."""
    return {number for row in _waiting(left, guest) for number in selectors.people_in(row.pk)}


def take_over_seeks(*, left: Guest, guest: Guest, **_: object) -> None:
    """Give a guest the seeks, places, challenges and settings of another one.

    Nobody waits for themselves: where both are in the same seek, the one person stays. Must be inside a
    transaction that holds the locks of both, and of all who wait with them.
    """
    waiting = [row.pk for row in _waiting(left, guest)]
    concerned = people_beside(left=left, guest=guest) | {guest.pk}
    _take_over_own(left, guest)
    _take_over_places(left, guest)
    _take_over_challenges(left, guest)
    if not LobbyGuest.objects.filter(guest=guest).exists():
        LobbyGuest.objects.filter(guest=left).update(guest=guest)
    LobbyGuest.objects.filter(guest=left).delete()
    for row in Seek.objects.filter(pk__in=waiting, ended_at=None):
        _end_if_hopeless(row)
    news.tell(concerned - {left.pk})


def _waiting(left: Guest, guest: Guest) -> list[Seek]:
    both = (left.pk, guest.pk)
    theirs = Q(owner__in=both) | Q(places__guest__in=both) | Q(invitees__guest__in=both)
    return list(Seek.objects.filter(theirs, ended_at=None).distinct())


def _take_over_own(left: Guest, guest: Guest) -> None:
    known = set(guest.seeks.values_list("key", flat=True))
    for row in left.seeks.order_by("pk"):
        row.owner = guest
        if row.key in known:  # a form that was sent as either
            row.key = f"{left.pk}-{row.key}"[:KEY_LENGTH]
        row.save(update_fields=["owner", "key"])


def _take_over_places(left: Guest, guest: Guest) -> None:
    for place in Place.objects.filter(guest=left).select_related("seek"):
        twin = place.seek.places.filter(guest=guest).first()
        if twin and twin.round < place.round:
            twin.delete()
            twin = None
        if twin:
            let_go(place.seek, [left.pk])
            Place.objects.filter(pk=place.pk).delete()
        else:
            Place.objects.filter(pk=place.pk).update(guest=guest)
    for place in Place.objects.filter(guest=guest, seek__owner=guest).select_related("seek"):
        let_go(place.seek, [guest.pk])
        Place.objects.filter(pk=place.pk).delete()


def _take_over_challenges(left: Guest, guest: Guest) -> None:
    for invitee in Invitee.objects.filter(guest=left):
        twin = Invitee.objects.filter(seek=invitee.seek_id, guest=guest).first()
        if twin is None:
            Invitee.objects.filter(pk=invitee.pk).update(guest=guest)
            continue
        if not twin.answer:
            Invitee.objects.filter(pk=twin.pk).update(answer=invitee.answer, reason=invitee.reason)
        invitee.delete()
    Invitee.objects.filter(guest=guest, seek__owner=guest).delete()


def _end_if_hopeless(row: Seek) -> None:
    """A challenge of too few others than oneself has nobody to wait for."""
    possible = 1 + row.invitees.exclude(answer=Invitee.Answer.DECLINED).count()
    if row.kind == Seek.Kind.CHALLENGE and possible < row.least:
        end(row, Seek.Ending.WITHDRAWN, clock.now())
