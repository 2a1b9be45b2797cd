"""Moves a guest's seeks, and their places in others' seeks, to the user that they turn out to be."""

from django.db.models import Q

from kakomi.server.accounts.models import Guest
from kakomi.server.lobby import feed, selectors
from kakomi.server.lobby.models import KEY_LENGTH, Invitee, LobbyGuest, Place, Seek
from kakomi.server.lobby.services import end_seek, remove_people
from kakomi.server.site import clock


def guests_sharing_seeks(*, left: Guest, guest: Guest, **_: object) -> set[int]:
    """The numbers of all people in the waiting seeks of two guests; changing the seeks needs their locks."""
    return {number for row in _waiting(left, guest) for number in selectors.people_in(row.pk)}


def take_over_seeks(*, left: Guest, guest: Guest, **_: object) -> None:
    """Move the seeks, places, challenges and settings of `left` to `guest`.

    Where both are in the same seek, the person keeps one place. Must be inside a transaction that holds the
    locks of `guests_sharing_seeks`.
    """
    waiting = [row.pk for row in _waiting(left, guest)]
    concerned = guests_sharing_seeks(left=left, guest=guest) | {guest.pk}
    _take_over_own(left, guest)
    _take_over_places(left, guest)
    _take_over_challenges(left, guest)
    if not LobbyGuest.objects.filter(guest=guest).exists():
        LobbyGuest.objects.filter(guest=left).update(guest=guest)
    LobbyGuest.objects.filter(guest=left).delete()
    for row in Seek.objects.filter(pk__in=waiting, ended_at=None):
        _end_if_hopeless(row)
    feed.announce_change(concerned - {left.pk})


def _waiting(left: Guest, guest: Guest) -> list[Seek]:
    both = (left.pk, guest.pk)
    theirs = Q(owner__in=both) | Q(places__guest__in=both) | Q(invitees__guest__in=both)
    return list(Seek.objects.filter(theirs, ended_at=None).distinct())


def _take_over_own(left: Guest, guest: Guest) -> None:
    known = set(guest.seeks.values_list("key", flat=True))
    for row in left.seeks.order_by("pk"):
        row.owner = guest
        if row.key in known:  # the same form was sent as both guests
            row.key = f"{left.pk}-{row.key}"[:KEY_LENGTH]
        row.save(update_fields=["owner", "key"])


def _take_over_places(left: Guest, guest: Guest) -> None:
    for place in Place.objects.filter(guest=left).select_related("seek"):
        twin = place.seek.places.filter(guest=guest).first()
        if twin and twin.round < place.round:
            twin.delete()
            twin = None
        if twin:
            remove_people(place.seek, [left.pk])
            Place.objects.filter(pk=place.pk).delete()
        else:
            Place.objects.filter(pk=place.pk).update(guest=guest)
    for place in Place.objects.filter(guest=guest, seek__owner=guest).select_related("seek"):
        remove_people(place.seek, [guest.pk])
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
    """End a challenge that too few people are left to accept."""
    possible = 1 + row.invitees.exclude(answer=Invitee.Answer.DECLINED).count()
    if row.kind == Seek.Kind.CHALLENGE and possible < row.least:
        end_seek(row, Seek.Ending.WITHDRAWN, clock.now())
