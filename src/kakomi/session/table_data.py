"""A table as data: how it began, and its log, which is played through elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from kakomi.session.exceptions import Refused
from kakomi.session.match_config import MatchConfig, Seat
from kakomi.session.start import LONGEST_START
from kakomi.session.time_control import TimeControl

VERSION = 1
"""Of the data."""


@dataclass(frozen=True)
class TableData:
    """How a table began, and its log as data."""

    config: MatchConfig
    seats: Sequence[Seat]
    time: TimeControl | None
    at: float
    """When it began, in seconds since the epoch."""
    start: float | None
    """The seconds in which everybody has to begin."""
    takes_back: bool
    is_binding: bool
    entries: Sequence[Any]

    @staticmethod
    def read(data: Any) -> "TableData":
        """What JSON says. Raises Refused, naming the first thing in it that can't be."""
        if not isinstance(data, Mapping) or data.get("kakomi_table") != VERSION:
            raise Refused(f"this isn't a table of version {VERSION}")
        seats, entries, at, time = (data.get(name) for name in ("seats", "entries", "at", "time"))
        if not isinstance(seats, list) or not isinstance(entries, list):
            raise Refused("a table should have lists of 'seats' and 'entries'")
        if type(at) not in (int, float):
            raise Refused("a table's 'at' should be a time in seconds since the epoch")
        return TableData(
            config=MatchConfig.from_json(data.get("terms")),
            seats=[Seat.from_json(seat) for seat in seats],
            time=None if time is None else TimeControl.from_json(time),
            at=cast(float, at),
            start=_start_of(data),
            takes_back=data.get("takes_back", True) is True,
            is_binding=data.get("binding") is True,
            entries=entries,
        )

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {
            "kakomi_table": VERSION,
            "terms": self.config.to_json(),
            "seats": [seat.to_json() for seat in self.seats],
            "time": self.time.to_json() if self.time else None,
            **({"start": self.start} if self.start else {}),
            "at": self.at,
            "entries": list(self.entries),
            **({} if self.takes_back else {"takes_back": False}),
            **({"binding": True} if self.is_binding else {}),
        }


def _start_of(data: Mapping[str, Any]) -> float | None:
    start = data.get("start")
    if start is not None and (type(start) not in (int, float) or not 0 < start <= LONGEST_START):
        raise Refused("a table's 'start' should be a limit in seconds")
    return cast("float | None", start)
