"""What a guest's rests come to."""

from kakomi.server.accounts.models import Guest
from kakomi.server.django_private import PreparedQuery
from kakomi.server.rests.models import Rests
from kakomi.server.rests.zones import offsets_of
from kakomi.session import Calendar

DAY = 24 * 3600.0
ALLOWANCE = 30 * DAY
"""Seconds of vacation within any `ALLOWANCE_SPAN`."""
ALLOWANCE_SPAN = 365 * DAY
_OF_GUEST = PreparedQuery(lambda guest: Rests.objects.filter(guest=guest))


def rests_of(guest: Guest) -> Rests:
    """A guest's rests; those of somebody who has chosen nothing aren't on disk."""
    return Rests.objects.filter(guest=guest).first() or Rests(guest=guest)


def takes_automatically(guest: Guest) -> bool:
    """Whether a day of vacation is taken by itself when a guest's clock would run out."""
    known = _OF_GUEST.first(guest.pk)
    return known is None or known.is_automatic


def calendar_of(rests: Rests, now: float) -> Calendar:
    """The calendar by which a guest's clocks stand still from a moment on."""
    sleep = None
    if rests.sleep_from is not None and rests.sleep_to is not None:
        sleep = rests.sleep_from, rests.sleep_to
    coming = rests.guest.vacations.filter(end__gt=now - DAY).order_by("start")
    is_regular = bool(sleep or rests.weekend)
    return Calendar(
        zone=rests.guest.time_zone,
        offsets=offsets_of(rests.guest.time_zone, now - DAY) if is_regular else (),
        weekend=tuple(rests.weekend),
        sleep=sleep,
        vacations=tuple(coming.values_list("start", "end")),
    )


def allowance_left(guest: Guest, at: float, *, until: float | None = None) -> float:
    """Seconds of vacation that a guest may still take at a moment, up to another.

    Within any 365 days there are at most 30 days of vacation, those that are booked for later included.
    """
    end = at if until is None else until
    taken = guest.vacations.filter(end__gt=end - ALLOWANCE_SPAN, start__lt=at + ALLOWANCE_SPAN)
    first = end - ALLOWANCE_SPAN
    used = sum(ends - max(starts, first) for starts, ends in taken.values_list("start", "end"))
    return max(ALLOWANCE - used, 0.0)
