"""Whatever changes a guest's rests. Tables take the changes in as entries of their logs.

A vacation lasts until its end or until its guest ends it; playing meanwhile doesn't end it. An automatic one
is a day long, and begins at the moment at which a clock would have run out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import expect_zone
from kakomi.server.database import writing
from kakomi.server.rests import selectors
from kakomi.server.rests.models import Rests, Vacation
from kakomi.server.rests.selectors import DAY
from kakomi.session import Calendar, Refused

LONGEST_AHEAD = 365 * DAY
"""Seconds: no vacation begins later from now."""


@dataclass(frozen=True)
class RegularRests:
    """What a guest chooses. Raises Refused for what can't be."""

    zone: str = "UTC"
    weekend: Sequence[int] = ()
    sleep: tuple[int, int] | None = None
    is_automatic: bool = True

    def __post_init__(self) -> None:
        expect_zone(self.zone)
        Calendar(weekend=tuple(self.weekend), sleep=self.sleep)


def choose(guest: Guest, wanted: RegularRests) -> Rests:
    """Change a guest's weekend, hours of sleep and time zone."""
    start, end = wanted.sleep or (None, None)
    with writing():
        rests = _locked(guest)
        rests.guest.zone = guest.zone = wanted.zone
        rests.guest.save(update_fields=["zone"])
        rests.weekend = sorted(wanted.weekend)
        rests.sleep_from, rests.sleep_to, rests.is_automatic = start, end, wanted.is_automatic
        _changed(rests, clock.now())
    return rests


def take_vacation(guest: Guest, start: float, end: float) -> Vacation:
    """Book a vacation, in seconds since the epoch; one that begins earlier begins now.

    Raises Refused if it isn't one, overlaps another, or is longer than what is left of the allowance.
    """
    with writing():
        rests, now = _locked(guest), clock.now()
        start = max(start, now)
        if start >= end:
            raise Refused(lazy_message("a vacation ends after it begins, and after now"))
        if start > now + LONGEST_AHEAD:
            raise Refused(lazy_message("a vacation begins within a year"))
        if guest.vacations.filter(start__lt=end, end__gt=start).exists():
            raise Refused(lazy_message("there is a vacation at that time already"))
        left = selectors.allowance_left(guest, start, until=end)
        if end - start > left:
            raise Refused(
                lazy_message("only {days} days of vacation are left then", days=f"{left / DAY:.1f}")
            )
        vacation: Vacation = guest.vacations.create(start=start, end=end, tell_at=start)
        _changed(rests, now)
    return vacation


def end_vacation(guest: Guest, number: int) -> bool:
    """End a vacation now, or cancel one that hasn't begun; False if there is none to end."""
    with writing():
        rests, now = _locked(guest), clock.now()
        coming = guest.vacations.filter(pk=number, end__gt=now)
        done = coming.filter(start__gte=now).delete()[0] or coming.update(end=now, tell_at=None)
        if done:
            _changed(rests, now)
    return bool(done)


def take_automatic_vacation(guest: Guest, at: float, *, since: float) -> bool:
    """Begin a day of vacation at a moment when a clock would run out; False if there is none to take, or if
    one has begun by itself since a moment.

    Called in a transaction. What is left of the allowance is taken where it is less than a day.
    """
    if not selectors.takes_automatically(guest):  # most who don't needn't be locked to know it
        return False
    rests = _locked(guest)
    left = selectors.allowance_left(guest, at)
    has_taken = guest.vacations.filter(is_automatic=True, start__gte=since).exists()
    if has_taken or not rests.is_automatic or left < 1:
        return False
    following = guest.vacations.filter(start__gt=at).values_list("start", flat=True).first()
    end = min(at + min(left, DAY), following or at + DAY)
    begun = {"end": end, "is_automatic": True, "tell_at": at}
    _, is_new = guest.vacations.get_or_create(start=at, defaults=begun)
    if is_new:
        _changed(rests, at)
    return is_new


def join(left: Guest, guest: Guest) -> None:
    """Give a guest the vacations of another one; and the rests, unless they have chosen some themselves.

    Called in a transaction, after the seats have changed hands: all their tables are told anew.
    """
    before = Rests.objects.filter(guest=left).first()
    if before is None:
        return
    has_chosen = Rests.objects.filter(guest=guest).exists()
    rests = _locked(guest)
    for vacation in left.vacations.all():
        if not guest.vacations.filter(start__lt=vacation.end, end__gt=vacation.start).exists():
            guest.vacations.create(start=vacation.start, end=vacation.end, is_automatic=vacation.is_automatic)
    left.vacations.all().delete()
    if not has_chosen:
        rests.weekend, rests.is_automatic = before.weekend, before.is_automatic
        rests.sleep_from, rests.sleep_to = before.sleep_from, before.sleep_to
    rests.version = max(rests.version, before.version)  # of both, some table may know
    _changed(rests, clock.now())
    before.delete()


def _locked(guest: Guest) -> Rests:
    Rests.objects.bulk_create([Rests(guest=guest)], ignore_conflicts=True)
    return Rests.objects.select_for_update().get(guest=guest)


def _changed(rests: Rests, at: float) -> None:
    """Have all running games of a guest told of the change, which holds from a moment on."""
    rests.changed_at, rests.version = at, rests.version + 1
    rests.save()


def told(guest: int, version: int) -> None:
    """Note that all tables of a guest know a version of their rests."""
    Rests.objects.filter(guest=guest, told_version__lt=version).update(told_version=version)
