"""The form by which staff have a tournament come again."""

from typing import Any

from django import forms
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext, gettext_lazy

from kakomi.server import clock
from kakomi.server.accounts.time_zones import zone_names
from kakomi.server.panel_form import PanelForm
from kakomi.server.schedules.models import LONGEST_TITLE
from kakomi.server.schedules.rules import Rule
from kakomi.server.schedules.services import ANNOUNCE_DAYS, Plan

RHYTHMS = {
    "weekly 1": gettext_lazy("every week"),
    "weekly 2": gettext_lazy("every second week"),
    "weekly 4": gettext_lazy("every fourth week"),
    "monthly 1": gettext_lazy("the first such day of each month"),
    "monthly 2": gettext_lazy("the second such day of each month"),
    "monthly 3": gettext_lazy("the third such day of each month"),
    "monthly 4": gettext_lazy("the fourth such day of each month"),
    "monthly -1": gettext_lazy("the last such day of each month"),
}
"""A frequency, with the interval in weeks or the week of the month, and what it is called."""


def rhythm_label(rule: Rule) -> str:
    """How often a rule's moments come, in words."""
    number = rule.interval if rule.frequency == "weekly" else rule.week
    return str(RHYTHMS[f"{rule.frequency} {number}"])


class ScheduleForm(PanelForm):
    """What staff choose; `plan` is what it comes to once the form is valid."""

    name = forms.CharField(
        max_length=LONGEST_TITLE,
        label=gettext_lazy("Name"),
        help_text=gettext_lazy("Each tournament has its number behind it."),
    )
    rhythm = forms.ChoiceField(label=gettext_lazy("How often"))
    weekday = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Day"))
    time = forms.TimeField(
        input_formats=["%H:%M"],
        initial="18:00",
        label=gettext_lazy("Begins at"),
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        help_text=gettext_lazy("It begins at this time by the clocks there, in summer and in winter."),
    )
    announce_days = forms.TypedChoiceField(coerce=int, initial=7, label=gettext_lazy("Announced before"))

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.offer("rhythm", {name: str(label) for name, label in RHYTHMS.items()})
        self.offer("weekday", {str(number): str(name) for number, name in WEEKDAYS.items()})
        days = gettext("{days} days")
        self.offer("announce_days", {str(count): days.format(days=count) for count in ANNOUNCE_DAYS})
        self.offer("zone", {name: name for name in zone_names()})
        self.mark_faults()

    @property
    def plan(self) -> Plan:
        """The schedule that is asked for; of a valid form."""
        given = self.cleaned_data
        frequency, _, number = given["rhythm"].partition(" ")
        rule = Rule(
            frequency=frequency,
            weekday=given["weekday"],
            minute=60 * given["time"].hour + given["time"].minute,
            since=clock.now(),
            interval=int(number) if frequency == "weekly" else 1,
            week=1 if frequency == "weekly" else int(number),
            zone=given["zone"],
        )
        return Plan(" ".join(given["name"].split()), rule, given["announce_days"])
