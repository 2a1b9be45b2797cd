"""Time zones, by what a clock needs of them: their offsets over the years to come."""

import datetime
import zoneinfo

from kakomi.server.accounts.services import expect_zone

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
