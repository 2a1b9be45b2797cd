"""A guest's rests, and the offsets that their time zone has over the years to come."""

import datetime
import zoneinfo

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import expect_zone
from kakomi.server.django_private import PreparedQuery
from kakomi.server.rests.models import Rests
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


YEARS = 5
"""How far ahead changes of an offset are looked for; from then on it stays as it is."""
_DAY = 24 * 3600


def offsets_of(name: str, after: float) -> tuple[tuple[float, int], ...]:
    """Moments from which on a zone is so many seconds east of UTC. Raises Refused for an unknown zone."""
    expect_zone(name)
    zone = zoneinfo.ZoneInfo(name)
    start = after // _DAY * _DAY
    found = [(start, _offset(zone, start))]
    for day in range(1, 366 * YEARS):
        at = start + day * _DAY
        offset = _offset(zone, at)
        if offset != found[-1][1]:
            found.append((_change(zone, at - _DAY, at), offset))
    return tuple(found)


def _offset(zone: zoneinfo.ZoneInfo, at: float) -> int:
    delta = datetime.datetime.fromtimestamp(at, zone).utcoffset()
    return int(delta.total_seconds()) if delta else 0


def _change(zone: zoneinfo.ZoneInfo, before: float, after: float) -> float:
    """The second of a change of the offset between two moments."""
    first, last = int(before), int(after)
    old = _offset(zone, first)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if _offset(zone, middle) == old else (first, middle)
    return float(last)
