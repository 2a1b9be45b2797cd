"""The page on which guests choose their time off."""

import datetime
import re
import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.dates import WEEKDAYS
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import expect_zone, zone_names
from kakomi.server.site import clock
from kakomi.server.site.language import why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import vacations
from kakomi.server.tables.models import TimeOff, Vacation
from kakomi.server.tables.vacations import DAY, RegularTimeOff
from kakomi.session import Refused


def regular_time_off(form: Mapping[str, str], weekend: list[str]) -> RegularTimeOff:
    """Parse the weekend, hours of sleep and time zone. Raises Refused for invalid values."""
    days = tuple(int(day) for day in weekend if re.fullmatch("[0-6]", day))
    start, end = form.get("sleep_from", "").strip(), form.get("sleep_to", "").strip()
    if bool(start) != bool(end):
        raise Refused(lazy_message("sleeping hours need a start and an end"))
    sleep = (minute(start), minute(end)) if start else None
    return RegularTimeOff(form.get("zone", "UTC"), days, sleep, is_automatic="is_automatic" in form)


def minute(text: str) -> int:
    """Convert a time such as 23:30 to a minute of the day. Raises Refused for other texts."""
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)(?::\d\d)?", text, re.ASCII)
    if match is None:
        raise Refused(lazy_message("enter a time such as 23:30, not {text}", text=repr(text[:20])))
    return 60 * int(match[1]) + int(match[2])


def vacation_days(form: Mapping[str, str], zone: str) -> tuple[float, float]:
    """A vacation from its days, in seconds since the epoch. Raises Refused for texts that aren't days."""
    expect_zone(zone)
    first, last = (_day(form.get(name, "")) for name in ("first", "last"))
    place = zoneinfo.ZoneInfo(zone)
    start = datetime.datetime.combine(first, datetime.time(), place)
    end = datetime.datetime.combine(last + datetime.timedelta(1), datetime.time(), place)
    return start.timestamp(), end.timestamp()


def _day(text: str) -> datetime.date:
    try:
        day = datetime.date.fromisoformat(text.strip())
    except ValueError:
        day = None
    if day is None or not 2000 <= day.year <= 3000:
        raise Refused(lazy_message("enter a date such as 2026-12-24, not {text}", text=repr(text[:20])))
    return day


@dataclass(frozen=True)
class VacationView:
    """A vacation in its guest's time zone."""

    number: int
    start: datetime.datetime
    end: datetime.datetime
    is_automatic: bool
    is_on: bool


@dataclass(frozen=True)
class TimeOffPresenter:
    """The values of the page's template."""

    guest: Guest | None
    """None for a new visitor."""
    time_off: TimeOff
    now: float

    @property
    def zones(self) -> Sequence[str]:
        """All time zones."""
        return zone_names()

    @property
    def zone(self) -> str:
        """The guest's time zone."""
        return self.guest.time_zone if self.guest else "UTC"

    @property
    def is_zone_known(self) -> bool:
        """Whether the guest's time zone is known."""
        return bool(self.guest and self.guest.zone)

    @property
    def days(self) -> list[tuple[int, str, bool]]:
        """The days of the week: number, name, and whether it belongs to the guest's weekend."""
        return [(day, str(name), day in self.time_off.weekend) for day, name in WEEKDAYS.items()]

    @property
    def sleep_from(self) -> str:
        """The beginning of the hours of sleep, such as 23:00; empty for none."""
        return _time(self.time_off.sleep_from)

    @property
    def sleep_to(self) -> str:
        """The end of the hours of sleep."""
        return _time(self.time_off.sleep_to)

    @cached_property
    def vacations(self) -> list[VacationView]:
        """The current and future vacations."""
        if self.guest is None:
            return []
        return [self._shown(each) for each in self.guest.vacations.filter(end__gt=self.now)]

    def _shown(self, vacation: Vacation) -> VacationView:
        start, end = (self._local(moment) for moment in (vacation.start, vacation.end))
        return VacationView(vacation.pk, start, end, vacation.is_automatic, vacation.start <= self.now)

    @property
    def days_left(self) -> float:
        """Days of vacation that can still be taken now."""
        left = vacations.allowance_left(self.guest, self.now) if self.guest else vacations.ALLOWANCE
        return left / DAY

    @property
    def today(self) -> str:
        """The current date in ISO format, for the form."""
        return self._local(self.now).date().isoformat()

    def _local(self, moment: float) -> datetime.datetime:
        return datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(self.zone))


def _time(minute: int | None) -> str:
    return "" if minute is None else f"{minute // 60:02}:{minute % 60:02}"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def time_off(request: HttpRequest) -> HttpResponse:
    """Show a guest's time off. A POST changes the regular one, or books or ends a vacation."""
    wrong = ""
    if request.method == "POST":
        try:
            _change(request, known_guest(request))
        except Refused as error:
            wrong = why(error)
        else:
            return redirect(f"{reverse('time_off')}?kept")
    guest = known_guest(request) if request.method == "POST" else guest_of(request)
    chosen = vacations.time_off_of(guest) if guest else TimeOff()
    shown = TimeOffPresenter(guest, chosen, clock.now())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(
        request,
        "tables/vacations.html",
        {"shown": shown, "wrong": wrong, "kept": "kept" in request.GET},
        status=status,
    )


def _change(request: HttpRequest, guest: Guest) -> None:
    form = request.POST
    if "end" in form:
        vacations.end_vacation(guest, whole_number(form["end"]) or 0)
    elif "first" in form:
        vacations.take_vacation(guest, *vacation_days(form, guest.time_zone))
    else:
        vacations.choose_time_off(guest, regular_time_off(form, form.getlist("weekend")))


urlpatterns = [path("", time_off, name="time_off")]
