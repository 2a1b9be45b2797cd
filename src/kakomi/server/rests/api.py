"""A guest's rests, for programs."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from kakomi.server import clock
from kakomi.server.accounts.auth import asking_guest, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import Strict
from kakomi.server.rests import selectors, services
from kakomi.server.rests.forms import minute

router = Router(tags=["rests"])

Moment = Annotated[float, Field(ge=0, le=1e11)]


class RestsIn(Strict):
    """Regular rests: days of the week (0 is Monday), and times such as `23:00` in the time zone."""

    zone: Annotated[str, Field(max_length=60)] = "UTC"
    weekend: Annotated[list[Annotated[int, Field(ge=0, le=6)]], Field(max_length=7, default_factory=list)]
    sleep_from: Annotated[str, Field(max_length=8)] | None = None
    sleep_to: Annotated[str, Field(max_length=8)] | None = None
    is_automatic: bool = True


class VacationIn(Strict):
    """A vacation, in seconds since the epoch."""

    start: Moment
    end: Moment


class VacationOut(Schema):
    """A vacation, in seconds since the epoch."""

    id: int
    start: float
    end: float
    is_automatic: bool


class RestsOut(Schema):
    """A guest's rests; `allowance` is the seconds of vacation that can still be taken now."""

    zone: str
    weekend: list[int]
    sleep: list[int] | None
    """Minutes of the day: from, to."""
    is_automatic: bool
    allowance: float
    vacations: list[VacationOut]


@router.get("/rests", auth=guests("read"), response=answers(RestsOut), url_name="own_rests")
def own_rests(request: HttpRequest) -> RestsOut:
    """When the guest rests."""
    return _shown(asking_guest(request))


@router.post("/rests", auth=guests("play"), response=answers(RestsOut), url_name="choose_rests")
def choose_rests(request: HttpRequest, wish: RestsIn) -> RestsOut:
    """Change weekend, hours of sleep, time zone, and whether vacation is taken by itself."""
    guest = asking_guest(request)
    sleep = (minute(wish.sleep_from), minute(wish.sleep_to)) if wish.sleep_from and wish.sleep_to else None
    services.choose(guest, services.RegularRests(wish.zone, wish.weekend, sleep, wish.is_automatic))
    return _shown(guest)


@router.post("/rests/vacations", auth=guests("play"), response=answers(RestsOut, 201), url_name="vacations")
def take_vacation(request: HttpRequest, wish: VacationIn) -> Status[RestsOut]:
    """Book a vacation; one that begins earlier begins now."""
    guest = asking_guest(request)
    services.take_vacation(guest, wish.start, wish.end)
    return Status(201, _shown(guest))


@router.delete(
    "/rests/vacations/{number}", auth=guests("play"), response=answers(RestsOut), url_name="end_vacation"
)
def end_vacation(request: HttpRequest, number: int) -> RestsOut:
    """End a vacation now, or cancel one that hasn't begun."""
    guest = asking_guest(request)
    if not services.end_vacation(guest, number):
        raise Http404("there is no such vacation that could be ended")
    return _shown(guest)


def _shown(guest: Guest) -> RestsOut:
    rests, now = selectors.rests_of(guest), clock.now()
    has_sleep = rests.sleep_from is not None and rests.sleep_to is not None
    return RestsOut(
        zone=guest.time_zone,
        weekend=rests.weekend,
        sleep=[rests.sleep_from or 0, rests.sleep_to or 0] if has_sleep else None,
        is_automatic=rests.is_automatic,
        allowance=selectors.allowance_left(guest, now),
        vacations=[VacationOut.from_orm(each) for each in guest.vacations.filter(end__gt=now)],
    )
