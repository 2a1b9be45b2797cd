"""The events of a match, and the entries of a table's log. The site itself adds some entries, for example
about players' rests and about its downtime.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from kakomi.core.i18n import truncated_repr
from kakomi.session.exceptions import Refused
from kakomi.session.rests import Calendar
from kakomi.session.time_control import Span

OfferKind = Literal["draw", "takeback", "pause", "resume"]
OFFERS: tuple[OfferKind, ...] = get_args(OfferKind)

NON_BLOCKING_KINDS = ("seated", "rest", "downtime")
"""The kinds of entries that don't change the match: a client that hasn't seen them may still act."""
ABORTS = ("stopped", "declined", "declined busy", "declined clock", "declined game")
"""A seat's reasons to abort a game in which some haven't had a first turn."""
SITE_ABORTS = ("not started", "not seated", "round over")
"""The site's reasons to do so."""

EventKind = Literal[
    "komi", "colour", "swap", "play", "resign", "flag", "forfeit", "absence", "draw", "replace"
]
"""The seat of a `flag` has run out of time, that of a `forfeit` had to act when the round of a tournament
ended, that of an `absence` didn't start in time, that of a `draw` accepted it. With `replace`, a bot takes
over from somebody who left; the event's value is the reason and the bot, as in `time 3`."""


@dataclass(frozen=True)
class Event:
    """A decision or departure of one seat.

    `value` is the named komi, the chosen player, the text of the action, or the reason and bot of `replace`.
    """

    seat: int
    kind: EventKind
    value: int | str | None = None
    seconds: float | None = None
    """The seat's thinking time in seconds; None if it wasn't measured."""

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        optional = {"value": self.value, "seconds": self.seconds}
        return {"seat": self.seat, "do": self.kind} | {k: v for k, v in optional.items() if v is not None}

    @staticmethod
    def from_json(data: Any) -> "Event":
        """Read an event from JSON data. Raises Refused if it is malformed; `Match.apply` checks the rules."""
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
    """Raise Refused, with what is expected, if a value has the wrong type for its kind."""
    if type(value) is not form:
        raise Refused(f"the 'value' of {kind!r} {_FORMS[form]}, and not {truncated_repr(value)}")


LATEST = 1e11
"""The latest allowed time, in seconds since the epoch."""


@dataclass(frozen=True)
class Entry:
    """An entry of a table's log: an action and its time.

    | kind | value | |
    | --- | --- | --- |
    | komi, colour, swap, play, resign | like an `Event` | an event of the match |
    | offer | draw, takeback, pause, resume | asks the others |
    | accept, decline, withdraw | | answers or withdraws the open offer |
    | takeback | | takes back without consent, if no other people are in the game |
    | abort | reason | ends a game in which some haven't had a first turn; by a seat or the site |
    | rest | time, calendar | the seat's `Calendar` from the time on; added by the site |
    | seated | | everyone is seated; only by the site |
    | flag | a seat | the seat's time is up; only by the site |
    | forfeit | a seat | the seat had to act when the round of a tournament ended; only by the site |
    | downtime | two times | the site was down from the first to the second; only by the site |

    Raises Refused for an invalid kind, seat, value or time. `Table.apply` checks whether it is allowed.
    """

    seat: int | None
    """The seat that acted; None for the site."""
    kind: str
    value: int | str | None = None
    at: float = 0.0
    """The time when the site accepted it, in seconds since the epoch."""

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
        """Return JSON data."""
        optional = {"seat": self.seat, "value": self.value}
        return {"do": self.kind, "at": self.at} | {k: v for k, v in optional.items() if v is not None}

    @staticmethod
    def from_json(data: Any) -> "Entry":
        """Read an entry from JSON data. Raises Refused if it is malformed."""
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
    """Return the value of a `rest` entry: a calendar and the time from which it applies."""
    return f"{since!r} {calendar.to_text()}"


def rest_of(value: str) -> tuple[float, Calendar]:
    """Parse the value of a `rest` entry. Raises Refused if it is malformed."""
    since, _, calendar = value.partition(" ")
    return _moment(since), Calendar.from_text(calendar)


def outage_value(outage: Span) -> str:
    """Return the value of a `downtime` entry."""
    return f"{outage[0]!r} {outage[1]!r}"


def outage_of(value: str) -> Span:
    """Parse the value of a `downtime` entry. Raises Refused if it is malformed."""
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
