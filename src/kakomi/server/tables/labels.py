"""Tables in words: who sits where, and clocks."""

from django.utils.translation import gettext, gettext_lazy

from kakomi.server.tables import models
from kakomi.session import TimeControl

LEVEL_WORDS = (
    gettext_lazy("for a first game"),
    gettext_lazy("for a second game"),
    gettext_lazy("knows a trick or two"),
    gettext_lazy("plays with a plan"),
    gettext_lazy("a fair opponent"),
    gettext_lazy("punishes mistakes"),
    gettext_lazy("hard to surprise"),
    gettext_lazy("strong"),
    gettext_lazy("very strong"),
    gettext_lazy("the strongest; thinks for about two seconds a turn"),
)
"""Levels 1 to 10 in words, for newcomers."""


def seat_label(seat: models.Seat) -> str:
    """The occupant of a seat, in a few words."""
    if seat.bot.isdecimal():
        return gettext("level {level}").format(level=seat.bot)
    if seat.is_free:
        return gettext("a friend")
    return seat.bot or seat.name or (seat.guest.name if seat.guest else "") or gettext("a guest")


def level_label(level: int) -> str:
    """A level in words."""
    return str(LEVEL_WORDS[level - 1])


def time_control_label(text: str) -> str:
    """A time control that is offered, in words: `5+3` is five minutes and three seconds more a turn."""
    first, _, increment = text.partition("+")
    if not text:
        return gettext("none")
    if not increment:
        return gettext("{seconds} s a turn").format(seconds=first)
    return gettext("{minutes} min + {seconds} s").format(minutes=first, seconds=increment)


def clock_label(control: TimeControl) -> str:
    """A time control that was agreed on, in a sentence."""
    if control.kind == "simple":
        return gettext("{seconds:g} seconds for each turn").format(seconds=control.initial)
    said = gettext("{minutes:g} minutes, and {seconds:g} seconds more a turn")
    return said.format(minutes=control.initial / 60, seconds=control.increment)
