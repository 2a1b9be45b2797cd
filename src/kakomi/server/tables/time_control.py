"""Clocks as people write them down and choose them."""

import re

from django.utils.translation import gettext

from kakomi.server.tables.exceptions import InvalidTableRequest
from kakomi.session import Refused, TimeControl

NO_CLOCK, CUSTOM = "", "custom"
FISCHER = ("3+2", "10+5", "30+10")
SIMPLE = ("15", "60")
"""What is offered; anything else can be written."""


def control_of(text: str, field: str = "clock") -> TimeControl | None:
    """`5+3` is five minutes and three seconds more a turn, `30` thirty seconds for each turn.

    Nothing is no clock. Raises Unclear for anything else.
    """
    text = text.strip()
    if not text:
        return None
    match = re.fullmatch(r"(\d{1,5})(?:\+(\d{1,5}))?", text, re.ASCII)
    if match is None:
        said = gettext(
            "A clock is like 5+3 (minutes, and seconds more a turn) or 30 (seconds a turn), not “{text}”."
        )
        raise InvalidTableRequest({field: said.format(text=text[:20])})
    first, increment = match.groups()
    try:
        if increment is None:
            return TimeControl(float(first), kind="simple")
        return TimeControl(60.0 * int(first), float(increment))
    except Refused:
        said = gettext(
            "A clock has 1 second to 30 days, and at most as much more a turn; “{text}” is beyond that."
        )
        raise InvalidTableRequest({field: said.format(text=text[:20])}) from None


def time_control_label(text: str) -> str:
    """A clock that is offered, in words."""
    first, _, increment = text.partition("+")
    if not text:
        return gettext("none")
    if not increment:
        return gettext("{seconds} s a turn").format(seconds=first)
    return gettext("{minutes} min + {seconds} s").format(minutes=first, seconds=increment)
