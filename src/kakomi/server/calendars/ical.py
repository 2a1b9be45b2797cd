"""Events as the text of a calendar (RFC 5545, with the name and the rhythm of RFC 7986)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from kakomi import __version__
from kakomi.server.calendars.events import Event

if TYPE_CHECKING:
    import icalendar

REFRESH = timedelta(hours=1)
"""After which programs are told to ask again."""


def calendar_text(name: str, events: Sequence[Event], site: str) -> bytes:
    """A calendar of a name; `site` is the address of the site, to which the paths of events are added."""
    import icalendar  # few requests need it

    calendar = icalendar.Calendar()
    calendar.add("prodid", f"-//Kakomi//Kakomi {__version__}//EN")
    calendar.add("version", "2.0")
    for name_of_name in ("name", "x-wr-calname"):  # the standard's, and the one that all programs read
        calendar.add(name_of_name, name)
    calendar.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    calendar.add("x-published-ttl", "PT1H")
    for event in events:
        calendar.add_component(_component(event, site))
    return bytes(calendar.to_ical())


def _component(event: Event, site: str) -> "icalendar.Event":
    import icalendar

    made = icalendar.Event()
    made.add("uid", f"{event.uid}@kakomi")
    made.add("dtstamp", _moment(event.changed_at))
    made.add("dtstart", _moment(event.at))
    made.add("summary", event.title)
    made.add("url", site + event.path)
    made.add("status", "CANCELLED" if event.is_cancelled else "CONFIRMED")
    made.add("transp", "TRANSPARENT")  # nobody is busy then
    return made


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)
