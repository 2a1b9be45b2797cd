"""The forms of a guest's rests."""

import datetime
import re
import zoneinfo
from collections.abc import Mapping

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.services import expect_zone
from kakomi.server.rests.services import RegularRests
from kakomi.session import Refused


def regular_rests(form: Mapping[str, str], weekend: list[str]) -> RegularRests:
    """The weekend, hours of sleep and time zone that were sent. Raises Refused for what can't be."""
    days = tuple(int(day) for day in weekend if re.fullmatch("[0-6]", day))
    start, end = form.get("sleep_from", "").strip(), form.get("sleep_to", "").strip()
    if bool(start) != bool(end):
        raise Refused(lazy_message("hours of sleep have a beginning and an end"))
    sleep = (minute(start), minute(end)) if start else None
    return RegularRests(form.get("zone", "UTC"), days, sleep, is_automatic="is_automatic" in form)


def minute(text: str) -> int:
    """The minute of the day of a time such as 23:30. Raises Refused for another text."""
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)(?::\d\d)?", text, re.ASCII)
    if match is None:
        raise Refused(lazy_message("write a time as 23:30, not as {text}", text=repr(text[:20])))
    return 60 * int(match[1]) + int(match[2])


def vacation_days(form: Mapping[str, str], zone: str) -> tuple[float, float]:
    """From the first day's beginning to the last one's end. Raises Refused for texts that are none."""
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
        raise Refused(lazy_message("write a day as 2026-12-24, not as {text}", text=repr(text[:20])))
    return day
