"""Time controls as people write and read them."""

import contextlib
import math
import re
from collections.abc import Iterable

from django.utils.translation import gettext, gettext_lazy, ngettext

from kakomi.server.tables.table_request import InvalidTableRequest
from kakomi.session import Refused, TimeControl
from kakomi.session.time_control import DAY

LIVE_CLOCKS = ("3+2", "10+5", "30+10", "15", "60", "delay 5+3", "byo-yomi 10+5x30")
"""The clocks offered for a live game, as text."""
DAY_CLOCKS = ("1d", "3d", "7d", "bank 5d+36h/10d", "total 30d")
"""The clocks offered for a game over days, as text."""
LONGEST_TEXT = 40
"""The most characters of a clock as text."""

_SPAN = r"(\d{1,3}[dh])"
_PATTERNS = {
    "fischer": re.compile(r"(\d{1,5})\+(\d{1,5})", re.ASCII),
    "simple": re.compile(r"(\d{1,5})", re.ASCII),
    "delay": re.compile(r"delay (\d{1,5})\+(\d{1,5})", re.ASCII),
    "byo-yomi": re.compile(r"byo-yomi (\d{1,5})\+(\d{1,2})x(\d{1,5})", re.ASCII),
    "days": re.compile(_SPAN, re.ASCII),
    "bank": re.compile(rf"bank {_SPAN}\+{_SPAN}/{_SPAN}", re.ASCII),
    "total": re.compile(rf"total {_SPAN}", re.ASCII),
}
"""The text form of each kind of clock."""


def parse_time_control(text: str) -> TimeControl | None:
    """Parse a clock; an empty text is no clock. Raises InvalidTableRequest for anything else.

    | text | |
    | --- | --- |
    | `5+3` | five minutes, and three seconds more a turn |
    | `30` | thirty seconds for each turn |
    | `delay 5+3` | five minutes; the first three seconds of a turn don't count |
    | `byo-yomi 10+5x30` | ten minutes, then five periods of thirty seconds |
    | `3d`, `36h` | three days, 36 hours for each turn |
    | `bank 5d+36h/10d` | five days, 36 hours more a turn, at most ten days |
    | `total 30d` | thirty days for the whole game |
    """
    text = " ".join(text.split())
    if not text:
        return None
    for kind, pattern in _PATTERNS.items():
        if match := pattern.fullmatch(text):
            with contextlib.suppress(Refused):
                control = _of_kind(kind, *match.groups())
                if control.pace == "days" or control.full <= DAY:
                    return control
            raise _beyond(text)
    said = gettext(
        "Enter a time control such as 5+3 (minutes + seconds per turn), 30 (seconds per "
        "turn) or 3d (days per turn), not “{text}”."
    )
    raise InvalidTableRequest({"clock": said.format(text=text[:20])})


def _of_kind(kind: str, first: str, *others: str) -> TimeControl:
    """The clock of a kind with the parsed values. Raises Refused for an impossible one."""
    match kind:
        case "simple":
            return TimeControl(float(first), kind="simple")
        case "delay":
            return TimeControl(60.0 * int(first), float(others[0]), "delay")
        case "byo-yomi":
            periods, seconds = others
            return TimeControl(60.0 * int(first), float(seconds), "byo-yomi", periods=int(periods))
        case "days":
            return TimeControl(_seconds(first), kind="days")
        case "bank":
            increment, cap = map(_seconds, others)
            return TimeControl(_seconds(first), increment, "bank", cap)
        case "total":
            return TimeControl(_seconds(first), kind="total")
    return TimeControl(60.0 * int(first), float(others[0]))


def _seconds(span: str) -> float:
    """Convert `3d` or `36h` to seconds."""
    return int(span[:-1]) * (DAY if span[-1] == "d" else 3600.0)


def _beyond(text: str) -> InvalidTableRequest:
    said = gettext(
        "Live games allow 1 second to 24 hours; correspondence games allow up to 30 days per "
        "turn, and the cap can’t be below the starting time. “{text}” is out of range."
    )
    return InvalidTableRequest({"clock": said.format(text=text[:20])})


def duration_label(seconds: float) -> str:
    """A duration in days, or in hours if it isn't a whole number of days."""
    if seconds % DAY:
        hours = round(seconds / 3600)
        return ngettext("{count} hour", "{count} hours", hours).format(count=hours)
    days = round(seconds / DAY)
    return ngettext("{count} day", "{count} days", days).format(count=days)


def time_left_label(seconds: float) -> str:
    """The time left, in the largest unit of which at least two are left."""
    if seconds >= 2 * DAY:
        count = int(seconds // DAY)
        return ngettext("{count} day left", "{count} days left", count).format(count=count)
    if seconds >= 2 * 3600:
        count = int(seconds // 3600)
        return ngettext("{count} hour left", "{count} hours left", count).format(count=count)
    if seconds < 60:
        return gettext("less than a minute left")
    count = int(seconds // 60)
    return ngettext("{count} minute left", "{count} minutes left", count).format(count=count)


def clock_face(seconds: float) -> str:
    """The text on a clock, in the same format as in `clocks.js`: `3 d 0 h`, `1:00:00`, `9:59`, `7.5`."""
    left = max(seconds, 0.0)
    if left < 10:
        return f"{left:.1f}"
    whole = math.ceil(left)
    if whole >= DAY:
        return f"{whole // DAY:.0f} d {whole % DAY // 3600:.0f} h"
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def short_clock_label(control: TimeControl | None) -> str:
    """A time control in a few words."""
    if control is None:
        return gettext("none")
    return _SHORT[control.kind].format(**_numbers(control))


def clock_label(control: TimeControl) -> str:
    """A time control in a sentence."""
    return _SENTENCES[control.kind].format(**_numbers(control))


def clock_choices(texts: Iterable[str]) -> dict[str, str]:
    """Labels of clocks to choose from, by text. Raises InvalidTableRequest for an invalid text."""
    controls = {text: parse_time_control(text) for text in texts}
    return {text: clock_label(control) for text, control in controls.items() if control}


def _numbers(control: TimeControl) -> dict[str, object]:
    """The values in the labels: live times in minutes and seconds, times over days in words."""
    if control.pace == "days":
        spans = {"time": control.initial, "more": control.increment, "cap": control.cap}
        return {name: duration_label(seconds) for name, seconds in spans.items()}
    seconds = control.initial if control.kind == "simple" else control.increment
    return {"minutes": f"{control.initial / 60:g}", "seconds": f"{seconds:g}", "periods": control.periods}


_SHORT = {
    "fischer": gettext_lazy("{minutes} min + {seconds} s"),
    "simple": gettext_lazy("{seconds} s per turn"),
    "delay": gettext_lazy("{minutes} min, {seconds} s delay"),
    "byo-yomi": gettext_lazy("{minutes} min + {periods} × {seconds} s"),
    "days": gettext_lazy("{time} per turn"),
    "bank": gettext_lazy("{time} + {more} per turn"),
    "total": gettext_lazy("{time} in total"),
}
_SENTENCES = {
    "fischer": gettext_lazy("{minutes} minutes + {seconds} seconds per turn"),
    "simple": gettext_lazy("{seconds} seconds per turn"),
    "delay": gettext_lazy("{minutes} minutes with a {seconds}-second delay per turn"),
    "byo-yomi": gettext_lazy("{minutes} minutes + {periods} byo-yomi periods of {seconds} seconds"),
    "days": gettext_lazy("{time} per turn"),
    "bank": gettext_lazy("{time} + {more} per turn, up to {cap}"),
    "total": gettext_lazy("{time} for the whole game"),
}
