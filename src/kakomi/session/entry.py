"""What is written down at a table: the log from which a table follows."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kakomi.session.exceptions import Refused
from kakomi.session.offer import OFFERS

LATEST = 1e11
"""No moment lies later, in seconds since the epoch: what does is no time that anybody's clock shows."""


@dataclass(frozen=True)
class Entry:
    """One thing that was done at a table, and when.

    | kind | value | |
    | --- | --- | --- |
    | komi, colour, swap, play, resign | as an `Event`'s | what a match knows |
    | offer | draw, takeback | asks the others |
    | accept, decline, withdraw | | answers the open offer, or takes it back |
    | takeback | | takes back freely, among bots |
    | flag | a seat | says that the seat's time is up; only the site does, which has no seat |

    Raises Refused for a kind, seat, value or time that no entry can have. Whether it is allowed, the table
    says.
    """

    seat: int | None
    """Who did it; None: the site itself."""
    kind: str
    value: int | str | None = None
    at: float = 0.0
    """When the site accepted it, in seconds since the epoch."""

    def __post_init__(self) -> None:
        if self.kind not in _VALUES:
            raise Refused(f"an entry does one of: {', '.join(_VALUES)}; not {str(self.kind)[:40]!r}")
        if type(self.seat) is not (type(None) if self.kind == "flag" else int):
            who = (
                "the site's: it has no 'seat'" if self.kind == "flag" else "a seat's: its 'seat' is a number"
            )
            raise Refused(f"{self.kind!r} is {who}")
        if type(self.value) is not _VALUES[self.kind]:
            raise Refused(f"the 'value' of {self.kind!r} is wrong: {str(self.value)[:40]!r}")
        if self.kind == "offer" and self.value not in OFFERS:
            raise Refused(f"one can offer {' or '.join(OFFERS)}, not {str(self.value)[:40]!r}")
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
_VALUES: dict[str, type] = {
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
    "flag": int,
}
