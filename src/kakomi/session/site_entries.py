"""The values of the entries by which the site says who rests when, and when it was down."""

from kakomi.core.wording import truncated_repr
from kakomi.session.events import LATEST
from kakomi.session.exceptions import Refused
from kakomi.session.rests import Calendar
from kakomi.session.spans import Span


def rest_value(since: float, calendar: Calendar) -> str:
    """The value of an entry `rest`: the seat rests by a calendar from a moment on."""
    return f"{since!r} {calendar.to_text()}"


def rest_of(value: str) -> tuple[float, Calendar]:
    """What an entry `rest` says. Raises Refused if it says nothing."""
    since, _, calendar = value.partition(" ")
    return _moment(since), Calendar.from_text(calendar)


def outage_value(outage: Span) -> str:
    """The value of an entry `downtime`."""
    return f"{outage[0]!r} {outage[1]!r}"


def outage_of(value: str) -> Span:
    """The span of an entry `downtime`. Raises Refused if it is none."""
    start, _, end = value.partition(" ")
    outage = _moment(start), _moment(end)
    if outage[0] >= outage[1]:
        raise Refused("a downtime ends after it begins")
    return outage


def _moment(text: str) -> float:
    try:
        moment = float(text)
    except ValueError:
        moment = -1.0
    if not 0 <= moment <= LATEST:
        raise Refused(f"this is no moment: {truncated_repr(text)}")
    return moment
