"""Time controls, which determine the thinking time of seats, and arithmetic with spans of time. Nothing here
reads the system time.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from kakomi.core.i18n import lazy_message, truncated_repr
from kakomi.session.exceptions import Refused

DAY = 24 * 3600.0
"""A day, in seconds."""
LONGEST = 30 * DAY
"""The maximum live time, or time for one turn, in seconds."""
LONGEST_TOTAL = 365 * DAY
"""The maximum time for a whole game over days, in seconds."""
MOST_PERIODS = 50

Pace = Literal["live", "days"]
"""Whether a game is played in one sitting (`live`) or by correspondence (`days`)."""
ClockKind = Literal["fischer", "simple", "delay", "byo-yomi", "days", "bank", "total"]

_OVER_DAYS: tuple[ClockKind, ...] = ("days", "bank", "total")
_ONLY_INITIAL: tuple[ClockKind, ...] = ("simple", "days", "total")


@dataclass(frozen=True)
class TimeControl:
    """A time control, the same for all seats. Raises Refused for an impossible one.

    | kind | pace | |
    | --- | --- | --- |
    | fischer | live | `initial` for a game, plus `increment` for every finished turn |
    | simple | live | `initial` for each turn; unused time is lost |
    | delay | live | `initial` for a game; the first `increment` of every turn doesn't count |
    | byo-yomi | live | `initial` for a game, then `periods` of `increment`; a turn restores its period |
    | days | days | `initial` for each turn; unused time is lost |
    | bank | days | `initial` for a game, plus `increment` for every finished turn, at most `cap` |
    | total | days | `initial` for a whole game |

    Times are in seconds. A turn counts once, however many actions it has.
    """

    initial: float
    increment: float = 0.0
    kind: ClockKind = "fischer"
    cap: float = 0.0
    """The maximum of a bank; 0 for other kinds."""
    periods: int = 0
    """The number of byo-yomi periods; 0 for other kinds."""
    nag: float = 0.0
    """The seconds of a turn after which the player gets a reminder, in a game over days; 0: the default."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(ClockKind):
            raise Refused(
                f"a clock is one of: {', '.join(get_args(ClockKind))}; not {truncated_repr(self.kind)}"
            )
        most = LONGEST_TOTAL if self.kind in ("bank", "total") else LONGEST
        for name, least, longest in (
            ("initial", 1, most),
            ("increment", 0, LONGEST),
            ("cap", 0, most),
            ("nag", 0, most),
        ):
            value = getattr(self, name)
            if type(value) not in (int, float) or not least <= value <= longest:
                raise Refused(f"a clock's {name!r} should be {least} to {longest:.0f} seconds")
        if type(self.periods) is not int or not 0 <= self.periods <= MOST_PERIODS:
            raise Refused(f"a clock has 0 to {MOST_PERIODS} periods")
        if self.nag and not (self.kind in _OVER_DAYS and 0 < self.nag < self.initial):
            raise Refused(lazy_message("reminders are for correspondence games, before time runs out"))
        self._check_kind()

    def _check_kind(self) -> None:
        if self.kind in _ONLY_INITIAL and self.increment:
            reason = (
                "there is one time for all turns" if self.kind == "total" else "every turn has the same time"
            )
            raise Refused(f"a {self.kind} clock has no increment: {reason}")
        if bool(self.periods) != (self.kind == "byo-yomi"):
            raise Refused("a byo-yomi clock has at least one period, and no other clock has any")
        if self.kind == "byo-yomi" and self.increment < 1:
            raise Refused("a period of a byo-yomi clock has at least 1 second")
        if bool(self.cap) != (self.kind == "bank") or (self.cap and self.cap < self.initial):
            raise Refused("a bank has a cap, at least what it begins with, and no other clock has one")

    @property
    def pace(self) -> Pace:
        """The pace of games with this time control."""
        return "days" if self.kind in _OVER_DAYS else "live"

    @property
    def is_by_turn(self) -> bool:
        """Whether every turn has its own time, and unused time is lost."""
        return self.kind in ("simple", "days")

    @property
    def full(self) -> float:
        """The seconds that a seat has at the start of a game, including byo-yomi periods."""
        return float(self.initial + self.periods * self.increment)

    def after_turn(self, left: float, *, is_first: bool) -> float:
        """Return the seconds that a seat has after a turn that it ended with `left` seconds."""
        if self.kind == "byo-yomi":
            return _with_whole_period(left, self.increment, self.periods)
        if self.kind == "delay" or is_first:
            return left
        added = left + self.increment
        return max(min(added, self.cap), left) if self.kind == "bank" else added

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        special = {"cap": self.cap, "periods": self.periods, "nag": self.nag}
        always = {"kind": self.kind, "initial": self.initial, "increment": self.increment}
        return always | {name: value for name, value in special.items() if value}

    @staticmethod
    def from_json(data: Any) -> "TimeControl":
        """Read a time control from JSON data. Raises Refused if it is invalid."""
        if not isinstance(data, Mapping):
            raise Refused("a time control should be an object with 'kind', 'initial' and 'increment'")
        return TimeControl(
            data.get("initial", 0),
            data.get("increment", 0),
            data.get("kind", "fischer"),
            data.get("cap", 0.0),
            data.get("periods", 0),
            data.get("nag", 0.0),
        )


def _with_whole_period(left: float, period: float, periods: int) -> float:
    """Return the time after a turn under byo-yomi, with the current period restored."""
    if left >= period * periods:
        return left
    return period * -(-left // period)


Span: TypeAlias = tuple[float, float]
"""A half-open interval of two times, in seconds since the epoch; the second is excluded."""


def joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Merge spans that touch or overlap; they must be sorted by start."""
    current: Span | None = None
    for start, end in spans:
        if current is None:
            current = start, end
        elif start <= current[1]:
            current = current[0], max(current[1], end)
        else:
            yield current
            current = start, end
    if current:
        yield current


def counted(start: float, end: float, rests: Iterable[Span]) -> float:
    """Return the seconds from `start` to `end` outside the rests, which must be sorted."""
    seconds = max(end - start, 0.0)
    for rest_start, rest_end in rests:
        if rest_start >= end:
            break
        seconds -= max(min(rest_end, end) - max(rest_start, start), 0.0)
    return max(seconds, 0.0)


def moment_after(start: float, seconds: float, rests: Iterable[Span]) -> float:
    """Return the time at which `seconds` outside the rests, which must be sorted, have passed."""
    at, left = start, seconds
    for rest_start, rest_end in rests:
        if rest_end <= at:
            continue
        if rest_start > at and left <= rest_start - at:
            break
        left -= max(rest_start - at, 0.0)
        at = rest_end
    return at + left
