"""Time zones that people choose from; each person has one, for their rests and for what they are mailed."""

import functools
import zoneinfo

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.session import Refused


@functools.cache
def zone_names() -> tuple[str, ...]:
    """The zones that people choose from, in the order of their names."""
    places = (name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(places))


def expect_zone(name: str) -> None:
    """Raises Refused for a zone that there isn't."""
    if name not in zone_names():
        raise Refused(lazy_message("there is no time zone {name}", name=repr(name[:40])))


def note_zone(guest: Guest, name: str) -> None:
    """Take the zone of somebody's browser as theirs, unless they have chosen one, or it isn't known here."""
    if not guest.zone and name in zone_names():
        Guest.objects.filter(pk=guest.pk, zone="").update(zone=name)
        guest.zone = name
