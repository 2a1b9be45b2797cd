"""Events, of which a match consists, and entries, of which a table's log consists. By some entries the site
itself says which players rest when, and when it was down.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from kakomi.core.wording import truncated_repr
from kakomi.session.exceptions import Refused
from kakomi.session.rests import Calendar
from kakomi.session.time_control import Span

OfferKind = Literal["draw", "takeback", "pause", "resume"]
OFFERS: tuple[OfferKind, ...] = get_args(OfferKind)

QUIET = ("seated", "rest", "downtime")
"""Kinds of entries that change nothing of the match: who hasn't seen them acts all the same."""
ABORTS = ("stopped", "declined", "declined busy", "declined clock", "declined game")
"""Why a seat ends a game that hasn't begun for everybody."""
SITE_ABORTS = ("not started", "not seated", "round over")
"""Why the site does."""

EventKind = Literal[
    "komi", "colour", "swap", "play", "resign", "flag", "forfeit", "absence", "draw", "replace"
]
"""A flag is of the seat whose time is up, a forfeit of the one that had to act when the round of a tournament
ended, an absence of one that didn't begin in time, a draw of the one that accepted it. One that is replaced
by a bot has left like the others: the event's value is the reason and the bot, as in `time 3`."""


@dataclass(frozen=True)
class Event:
    """One decision of one seat.

    `value` is the komi that was named, the player that was chosen, or the text of the action.
    """

    seat: int
    kind: EventKind
    value: int | str | None = None
    seconds: float | None = None
    """The seat's thinking time in seconds, if it was measured."""

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        optional = {"value": self.value, "seconds": self.seconds}
        return {"seat": self.seat, "do": self.kind} | {k: v for k, v in optional.items() if v is not None}

    @staticmethod
    def from_json(data: Any) -> "Event":
        """An event from data. Raises Refused if that isn't one; whether it is allowed, the match says."""
        if not isinstance(data, Mapping) or data.get("do") not in _EVENT_VALUES:
            raise Refused(f"an event should be an object whose 'do' is one of: {', '.join(_EVENT_VALUES)}")
        seat, seconds = data.get("seat"), data.get("seconds")
        if type(seat) is not int:
            raise Refused("an event's 'seat' should be the number of a seat")
        _check_value(data["do"], data.get("value"), _EVENT_VALUES[data["do"]])
        if seconds is not None and not isinstance(seconds, int | float):
            raise Refused("an event's 'seconds' should be a number")
        return Event(seat, data["do"], data.get("value"), seconds)


_EVENT_VALUES: dict[str, type] = {
    "komi": int,
    "colour": int,
    "swap": type(None),
    "play": str,
    "resign": type(None),
    "flag": type(None),
    "forfeit": type(None),
    "absence": type(None),
    "draw": type(None),
    "replace": str,
}


_FORMS = {int: "is a whole number", str: "is a text", type(None): "is left out"}


def _check_value(kind: str, value: object, form: type) -> None:
    """Raises Refused, saying what would be right, for a value of another type than its kind has."""
    if type(value) is not form:
        raise Refused(f"the 'value' of {kind!r} {_FORMS[form]}, and not {truncated_repr(value)}")


LATEST = 1e11
"""The latest possible moment, in seconds since the epoch."""


@dataclass(frozen=True)
class Entry:
    """One thing that was done at a table, and when.

    | kind | value | |
    | --- | --- | --- |
    | komi, colour, swap, play, resign | as an `Event`'s | what a match knows |
    | offer | draw, takeback, pause, resume | asks the others |
    | accept, decline, withdraw | | answers the open offer, or takes it back |
    | takeback | | takes back freely, among bots |
    | abort | why | ends a game that hasn't begun for everybody; the site's or a seat's |
    | rest | moment, calendar | the seat rests by this `Calendar` from the moment on; the site says so |
    | seated | | everybody sits; only the site says so |
    | flag | a seat | says that the seat's time is up; only the site does, which has no seat |
    | forfeit | a seat | it had to act when the round of a tournament ended; only the site says so |
    | downtime | two moments | the site was down from the first to the second; only the site says so |

    Raises Refused for a kind, seat, value or time that no entry can have. Whether it is allowed, the table
    says.
    """

    seat: int | None
    """The seat that acted; None: the site itself."""
    kind: str
    value: int | str | None = None
    at: float = 0.0
    """When the site accepted it, in seconds since the epoch."""

    def __post_init__(self) -> None:
        if self.kind not in _ENTRY_VALUES:
            raise Refused(
                f"an entry does one of: {', '.join(_ENTRY_VALUES)}; not {truncated_repr(self.kind)}"
            )
        is_sites = self.kind in _SITES or (self.kind == "abort" and self.seat is None)
        if type(self.seat) is not (type(None) if is_sites else int):
            who = "the site's: it has no 'seat'" if is_sites else "a seat's: its 'seat' is a number"
            raise Refused(f"{self.kind!r} is {who}")
        _check_value(self.kind, self.value, _ENTRY_VALUES[self.kind])
        if self.kind == "offer" and self.value not in OFFERS:
            raise Refused(f"one can offer {' or '.join(OFFERS)}, not {truncated_repr(self.value)}")
        reasons = SITE_ABORTS if self.seat is None else ABORTS
        if self.kind == "abort" and self.value not in reasons:
            wanted = ", ".join(reasons)
            raise Refused(f"a game ends for one of these: {wanted}; not {truncated_repr(self.value)}")
        if type(self.at) not in (int, float) or not 0 <= self.at <= LATEST:
            raise Refused("an entry's 'at' should be a time in seconds since the epoch")

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        optional = {"seat": self.seat, "value": self.value}
        return {"do": self.kind, "at": self.at} | {k: v for k, v in optional.items() if v is not None}

    @staticmethod
    def from_json(data: Any) -> "Entry":
        """An entry from data. Raises Refused if that isn't one."""
        if not isinstance(data, Mapping) or not isinstance(data.get("do"), str):
            raise Refused("an entry should be an object with 'do', 'at' and as a rule 'seat' and 'value'")
        return Entry(data.get("seat"), data["do"], data.get("value"), data.get("at", math.nan))


_NOTHING = type(None)
_ENTRY_VALUES: dict[str, type] = {
    "komi": int,
    "colour": int,
    "swap": _NOTHING,
    "play": str,
    "resign": _NOTHING,
    "offer": str,
    "accept": _NOTHING,
    "decline": _NOTHING,
    "withdraw": _NOTHING,
    "takeback": _NOTHING,
    "abort": str,
    "rest": str,
    "flag": int,
    "forfeit": int,
    "downtime": str,
    "seated": _NOTHING,
}
KINDS = tuple(_ENTRY_VALUES)
"""All kinds of entries."""
_SITES = ("flag", "forfeit", "downtime", "seated")


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
