"""Time off in correspondence games (vacations, weekends, hours of sleep), and the services that change it."""

import datetime
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import expect_zone
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables.models import TimeOff, Vacation
from kakomi.session import Calendar, Refused

DAY = 24 * 3600.0
ALLOWANCE = 30 * DAY
"""The most seconds of vacation within any `ALLOWANCE_SPAN`."""
ALLOWANCE_SPAN = 365 * DAY
LONGEST_AHEAD = 365 * DAY
"""How far ahead a vacation may begin, in seconds."""
YEARS = 5
"""How far ahead to look for changes of an offset; later ones are ignored."""
_OF_GUEST = PreparedQuery(lambda guest: TimeOff.objects.filter(guest=guest))


def time_off_of(guest: Guest) -> TimeOff:
    """A guest's time off; an unsaved row if they haven't chosen any."""
    return TimeOff.objects.filter(guest=guest).first() or TimeOff(guest=guest)


def takes_automatically(guest: Guest) -> bool:
    """Whether a day of vacation is taken automatically when a guest's clock would run out."""
    known = _OF_GUEST.first(guest.pk)
    return known is None or known.is_automatic


def calendar_of(time_off: TimeOff, now: float) -> Calendar:
    """The calendar of the times when a guest's clocks are stopped, from about `now` on."""
    sleep = None
    if time_off.sleep_from is not None and time_off.sleep_to is not None:
        sleep = time_off.sleep_from, time_off.sleep_to
    coming = time_off.guest.vacations.filter(end__gt=now - DAY).order_by("start")
    is_regular = bool(sleep or time_off.weekend)
    return Calendar(
        zone=time_off.guest.time_zone,
        offsets=offsets_of(time_off.guest.time_zone, now - DAY) if is_regular else (),
        weekend=tuple(time_off.weekend),
        sleep=sleep,
        vacations=tuple(coming.values_list("start", "end")),
    )


def allowance_left(guest: Guest, at: float, *, until: float | None = None) -> float:
    """The seconds of vacation that a guest may still take between `at` and `until`.

    Within any 365 days there are at most 30 days of vacation, including those booked for later.
    """
    end = at if until is None else until
    taken = guest.vacations.filter(end__gt=end - ALLOWANCE_SPAN, start__lt=at + ALLOWANCE_SPAN)
    first = end - ALLOWANCE_SPAN
    used = sum(ends - max(starts, first) for starts, ends in taken.values_list("start", "end"))
    return max(ALLOWANCE - used, 0.0)


def offsets_of(name: str, after: float) -> tuple[tuple[float, int], ...]:
    """A zone's UTC offsets: pairs of the time from which one applies, in seconds since the epoch, and the
    offset, in seconds east of UTC. Raises Refused for an unknown zone."""
    expect_zone(name)
    zone = zoneinfo.ZoneInfo(name)
    start = after // DAY * DAY
    found = [(start, _offset(zone, start))]
    for day in range(1, 366 * YEARS):
        at = start + day * DAY
        offset = _offset(zone, at)
        if offset != found[-1][1]:
            found.append((_change(zone, at - DAY, at), offset))
    return tuple(found)


def _offset(zone: zoneinfo.ZoneInfo, at: float) -> int:
    delta = datetime.datetime.fromtimestamp(at, zone).utcoffset()
    return int(delta.total_seconds()) if delta else 0


def _change(zone: zoneinfo.ZoneInfo, before: float, after: float) -> float:
    """Find the second at which the offset changes between two times, by bisection."""
    first, last = int(before), int(after)
    old = _offset(zone, first)
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if _offset(zone, middle) == old else (first, middle)
    return float(last)


@dataclass(frozen=True)
class RegularTimeOff:
    """A guest's choice of regular time off. Raises Refused for invalid values."""

    zone: str = "UTC"
    weekend: Sequence[int] = ()
    sleep: tuple[int, int] | None = None
    is_automatic: bool = True

    def __post_init__(self) -> None:
        expect_zone(self.zone)
        Calendar(weekend=tuple(self.weekend), sleep=self.sleep)


def choose_time_off(guest: Guest, wanted: RegularTimeOff) -> TimeOff:
    """Change a guest's weekend, hours of sleep and time zone."""
    start, end = wanted.sleep or (None, None)
    with writing():
        time_off = _locked(guest)
        time_off.guest.zone = guest.zone = wanted.zone
        time_off.guest.save(update_fields=["zone"])
        time_off.weekend = sorted(wanted.weekend)
        time_off.sleep_from, time_off.sleep_to, time_off.is_automatic = start, end, wanted.is_automatic
        _changed(time_off, clock.now())
    return time_off


def take_vacation(guest: Guest, start: float, end: float) -> Vacation:
    """Book a vacation, given in seconds since the epoch. A start in the past means now.

    Raises Refused if it ends too early, begins too late, overlaps another, or exceeds the allowance left.
    """
    with writing():
        time_off, now = _locked(guest), clock.now()
        start = max(start, now)
        if start >= end:
            raise Refused(lazy_message("a vacation must end after it starts, and in the future"))
        if start > now + LONGEST_AHEAD:
            raise Refused(lazy_message("a vacation must start within a year"))
        if guest.vacations.filter(start__lt=end, end__gt=start).exists():
            raise Refused(lazy_message("you already have a vacation at that time"))
        left = allowance_left(guest, start, until=end)
        if end - start > left:
            raise Refused(
                lazy_message("you will have only {days} vacation days left then", days=f"{left / DAY:.1f}")
            )
        vacation: Vacation = guest.vacations.create(start=start, end=end, tell_at=start)
        _changed(time_off, now)
    return vacation


def end_vacation(guest: Guest, number: int) -> bool:
    """End a vacation now, or cancel one that hasn't begun. Returns False if there is none to end."""
    with writing():
        time_off, now = _locked(guest), clock.now()
        coming = guest.vacations.filter(pk=number, end__gt=now)
        done = coming.filter(start__gte=now).delete()[0] or coming.update(end=now, tell_at=None)
        if done:
            _changed(time_off, now)
    return bool(done)


def take_automatic_vacation(guest: Guest, at: float, *, since: float) -> bool:
    """Begin a day of vacation at `at`, when a clock would run out. Returns False if the guest doesn't want
    that, has no allowance left, or has had an automatic vacation that began at `since` or later.

    If less than a day of the allowance is left, takes the rest. Must be inside a transaction.
    """
    if not takes_automatically(guest):  # checked first without a lock, which is faster
        return False
    time_off = _locked(guest)
    left = allowance_left(guest, at)
    has_taken = guest.vacations.filter(is_automatic=True, start__gte=since).exists()
    if has_taken or not time_off.is_automatic or left < 1:
        return False
    following = guest.vacations.filter(start__gt=at).values_list("start", flat=True).first()
    end = min(at + min(left, DAY), following or at + DAY)
    begun = {"end": end, "is_automatic": True, "tell_at": at}
    _, is_new = guest.vacations.get_or_create(start=at, defaults=begun)
    if is_new:
        _changed(time_off, at)
    return is_new


def transfer_time_off(left: Guest, guest: Guest) -> None:
    """Transfer one guest's vacations to another, and the regular time off unless they have chosen their own.

    Must be inside a transaction, after the seats were transferred, as it is then entered at all tables.
    """
    before = TimeOff.objects.filter(guest=left).first()
    if before is None:
        return
    has_chosen = TimeOff.objects.filter(guest=guest).exists()
    time_off = _locked(guest)
    for vacation in left.vacations.all():
        if not guest.vacations.filter(start__lt=vacation.end, end__gt=vacation.start).exists():
            left.vacations.filter(pk=vacation.pk).update(guest=guest)
    left.vacations.all().delete()
    if not has_chosen:
        time_off.weekend, time_off.is_automatic = before.weekend, before.is_automatic
        time_off.sleep_from, time_off.sleep_to = before.sleep_from, before.sleep_to
    time_off.version = max(time_off.version, before.version)  # tables may have either version
    _changed(time_off, clock.now())
    before.delete()


def _locked(guest: Guest) -> TimeOff:
    TimeOff.objects.bulk_create([TimeOff(guest=guest)], ignore_conflicts=True)
    return TimeOff.objects.select_for_update().get(guest=guest)


def _changed(time_off: TimeOff, at: float) -> None:
    """Save a change that takes effect at `at`, with a new version, to be entered at all running games."""
    time_off.changed_at, time_off.version = at, time_off.version + 1
    time_off.save()


def mark_entered(guest: int, version: int) -> None:
    """Note that a version of a guest's time off has been entered at all their tables."""
    TimeOff.objects.filter(guest=guest, entered_version__lt=version).update(entered_version=version)
