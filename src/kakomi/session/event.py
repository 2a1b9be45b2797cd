"""What somebody did: a match is its terms, its seats and its events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from kakomi.session.exceptions import Refused

EventKind = Literal["komi", "colour", "swap", "play", "resign", "flag", "draw"]
"""A flag is of the seat whose time is up, a draw of the one that accepted it."""


@dataclass(frozen=True)
class Event:
    """One decision of one seat.

    `value` is the komi that was named, the player that was chosen, or the text of the action.
    """

    seat: int
    kind: EventKind
    value: int | str | None = None
    seconds: float | None = None
    """How long the seat thought about it, where somebody kept the time."""

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        optional = {"value": self.value, "seconds": self.seconds}
        return {"seat": self.seat, "do": self.kind} | {k: v for k, v in optional.items() if v is not None}

    @staticmethod
    def from_json(data: Any) -> "Event":
        """An event from data. Raises Refused if that isn't one; whether it is allowed, the match says."""
        if not isinstance(data, Mapping) or data.get("do") not in _VALUES:
            raise Refused(f"an event should be an object whose 'do' is one of: {', '.join(_VALUES)}")
        seat, seconds = data.get("seat"), data.get("seconds")
        if type(seat) is not int:
            raise Refused("an event's 'seat' should be the number of a seat")
        if type(data.get("value")) is not _VALUES[data["do"]]:
            raise Refused(f"the 'value' of {data['do']!r} is wrong: {str(data.get('value'))[:40]!r}")
        if seconds is not None and not isinstance(seconds, int | float):
            raise Refused("an event's 'seconds' should be a number")
        return Event(seat, data["do"], data.get("value"), seconds)


_VALUES: dict[str, type] = {
    "komi": int,
    "colour": int,
    "swap": type(None),
    "play": str,
    "resign": type(None),
    "flag": type(None),
    "draw": type(None),
}
