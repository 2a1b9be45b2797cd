"""What a form asks, as its page shows it. Of a clock it asks for the pace, then for one of that pace."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from kakomi.server.tables.clock_texts import DAY_CLOCKS, LIVE_CLOCKS, parse_time_control, short_clock_label
from kakomi.server.tables.forms import CUSTOM, DAY_CLOCK, LIVE_CLOCK

NO_CLOCK = ""
FIRST_LIVE, FIRST_DAYS = "10+5", "3d"
"""What is chosen of a pace at first."""


@dataclass(frozen=True)
class Choice:
    """One of several."""

    value: str
    label: str
    is_chosen: bool
    note: str = ""


@dataclass(frozen=True)
class Question:
    """A field of the form."""

    name: str
    label: str
    choices: Sequence[Choice] = ()
    help: str = ""
    other: str | None = None
    """The typed value beside the choices, where one is possible."""
    wrong: str = ""


@dataclass(frozen=True)
class ClockQuestion(Question):
    """The choices are paces; beside two of them there are clocks of that pace."""

    live: Sequence[Choice] = ()
    days: Sequence[Choice] = ()

    @property
    def paces(self) -> list[tuple[str, str, Sequence[Choice]]]:
        """The field, its label and the clocks, for each pace that is offered."""
        labels = (
            ("clock_live", gettext("Live clock"), self.live),
            ("clock_days", gettext("Clock over days"), self.days),
        )
        return [pace for pace in labels if pace[2]]


def clock_question(
    given: Mapping[str, str],
    wrong: str,
    *,
    first: str = NO_CLOCK,
    may_be_none: bool = True,
    has_days: bool = True,
) -> ClockQuestion:
    """The choice as it was sent, whether by pace or as one text, or `first`."""
    asked = given.get("clock", first)
    pace = _pace_of(asked)
    offered = [
        (NO_CLOCK, gettext("none"), may_be_none),
        (LIVE_CLOCK, gettext("live"), True),
        (DAY_CLOCK, gettext("over days"), has_days),
        (CUSTOM, gettext("other"), True),
    ]
    typed = given.get("clock_other", "") if asked == CUSTOM else asked if pace == CUSTOM else ""
    live = asked if asked in LIVE_CLOCKS else given.get("clock_live", FIRST_LIVE)
    days = asked if asked in DAY_CLOCKS else given.get("clock_days", FIRST_DAYS)
    return ClockQuestion(
        "clock",
        gettext("Clock"),
        [Choice(value, label, value == pace) for value, label, is_offered in offered if is_offered],
        gettext(
            "5+3 is five minutes, and three seconds more each turn; 30 is thirty seconds for each turn; "
            "3d is three days for each turn."
        ),
        typed,
        wrong,
        _clocks(LIVE_CLOCKS, live),
        _clocks(DAY_CLOCKS, days) if has_days else (),
    )


def _pace_of(asked: str) -> str:
    """Which of the first choices a clock belongs to."""
    if asked in LIVE_CLOCKS:
        return LIVE_CLOCK
    if asked in DAY_CLOCKS:
        return DAY_CLOCK
    return asked if asked in (NO_CLOCK, LIVE_CLOCK, DAY_CLOCK) else CUSTOM


def _clocks(offered: Sequence[str], chosen: str) -> list[Choice]:
    return [Choice(value, short_clock_label(parse_time_control(value)), value == chosen) for value in offered]
