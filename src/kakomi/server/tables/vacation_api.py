"""The API of a guest's time off."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from kakomi.server.accounts.auth import guests, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.site import clock
from kakomi.server.site.api import Strict, answers
from kakomi.server.tables import vacations
from kakomi.server.tables.vacation_views import minute

router = Router(tags=["time off"])

Moment = Annotated[float, Field(ge=0, le=1e11)]


class TimeOffIn(Strict):
    """Regular time off: days of the week (0 is Monday), and times such as `23:00` in the given time zone."""

    zone: Annotated[str, Field(max_length=60)] = "UTC"
    weekend: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7, default_factory=list)]
    sleep_from: Annotated[str, Field(max_length=8)] | None = None
    sleep_to: Annotated[str, Field(max_length=8)] | None = None
    is_automatic: bool = True


class VacationIn(Strict):
    """A vacation to book, in seconds since the epoch."""

    start: Moment
    end: Moment


class VacationOut(Schema):
    """A vacation, in seconds since the epoch."""

    id: int
    start: float
    end: float
    is_automatic: bool


class TimeOffOut(Schema):
    """A guest's time off. `allowance` is the vacation that can still be taken now, in seconds."""

    zone: str
    weekend: list[int]
    sleep: list[int] | None
    """Beginning and end, as minutes of the day."""
    is_automatic: bool
    allowance: float
    vacations: list[VacationOut]


@router.get("/time-off", auth=guests("read"), response=answers(TimeOffOut), url_name="own_time_off")
def own_time_off(request: HttpRequest) -> TimeOffOut:
    """The guest's time off."""
    return _shown(required_guest(request))


@router.post("/time-off", auth=guests("play"), response=answers(TimeOffOut), url_name="choose_time_off")
def choose_time_off(request: HttpRequest, wish: TimeOffIn) -> TimeOffOut:
    """Change the weekend, hours of sleep and time zone, and whether vacation is taken automatically."""
    guest = required_guest(request)
    sleep = (minute(wish.sleep_from), minute(wish.sleep_to)) if wish.sleep_from and wish.sleep_to else None
    vacations.choose_time_off(
        guest, vacations.RegularTimeOff(wish.zone, wish.weekend, sleep, wish.is_automatic)
    )
    return _shown(guest)


@router.post(
    "/time-off/vacations", auth=guests("play"), response=answers(TimeOffOut, 201), url_name="vacations"
)
def take_vacation(request: HttpRequest, wish: VacationIn) -> Status[TimeOffOut]:
    """Book a vacation. A start in the past means now."""
    guest = required_guest(request)
    vacations.take_vacation(guest, wish.start, wish.end)
    return Status(201, _shown(guest))


@router.delete(
    "/time-off/vacations/{number}", auth=guests("play"), response=answers(TimeOffOut), url_name="end_vacation"
)
def end_vacation(request: HttpRequest, number: int) -> TimeOffOut:
    """End a vacation now, or cancel one that hasn't begun."""
    guest = required_guest(request)
    if not vacations.end_vacation(guest, number):
        raise Http404("there is no such vacation that could be ended")
    return _shown(guest)


def _shown(guest: Guest) -> TimeOffOut:
    time_off, now = vacations.time_off_of(guest), clock.now()
    has_sleep = time_off.sleep_from is not None and time_off.sleep_to is not None
    return TimeOffOut(
        zone=guest.time_zone,
        weekend=time_off.weekend,
        sleep=[time_off.sleep_from or 0, time_off.sleep_to or 0] if has_sleep else None,
        is_automatic=time_off.is_automatic,
        allowance=vacations.allowance_left(guest, now),
        vacations=[VacationOut.from_orm(each) for each in guest.vacations.filter(end__gt=now)],
    )
