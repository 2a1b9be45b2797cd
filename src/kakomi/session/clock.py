"""Time to think, and how much of it is left."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from kakomi.core.wording import truncated_repr
from kakomi.session.exceptions import Refused

LONGEST = 30 * 24 * 3600.0
"""No time that is given is longer, in seconds."""

ClockKind = Literal["fischer", "simple"]


@dataclass(frozen=True)
class TimeControl:
    """A time control, the same for all seats. Raises Refused for an impossible one.

    With "fischer", `initial` seconds for a game and `increment` more for every finished turn, whatever
    number of actions it has. With "simple", `initial` seconds for each turn, of which nothing is kept.
    """

    initial: float
    increment: float = 0.0
    kind: ClockKind = "fischer"

    def __post_init__(self) -> None:
        if self.kind not in get_args(ClockKind):
            raise Refused(
                f"a clock is one of: {', '.join(get_args(ClockKind))}; not {truncated_repr(self.kind)}"
            )
        for name, least in (("initial", 1), ("increment", 0)):
            value = getattr(self, name)
            if type(value) not in (int, float) or not least <= value <= LONGEST:
                raise Refused(f"a clock's {name!r} should be {least} to {LONGEST:.0f} seconds")
        if self.kind == "simple" and self.increment:
            raise Refused("a simple clock has no increment: every turn has the same time")

    def to_json(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {"kind": self.kind, "initial": self.initial, "increment": self.increment}

    @staticmethod
    def from_json(data: Any) -> "TimeControl":
        """A time control from data. Raises Refused if that isn't one."""
        if not isinstance(data, Mapping):
            raise Refused("a time control should be an object with 'kind', 'initial' and 'increment'")
        return TimeControl(data.get("initial", 0), data.get("increment", 0), data.get("kind", "fischer"))


@dataclass(frozen=True)
class Clock:
    """The clocks of all seats in one game. It never reads the time; callers pass it in.

    A seat's first turn in a game takes no time and adds none, so that nobody loses who isn't there yet; nor
    does settling komi and colours.
    """

    time: TimeControl
    left: tuple[float, ...]
    """Seconds that each seat had left at the moment `since`."""
    since: float
    running: int | None = None
    """The seat whose clock runs."""
    moved: frozenset[int] = frozenset()
    """The seats that have finished a turn."""

    @staticmethod
    def begun(time: TimeControl, seats: int, at: float) -> "Clock":
        """The clocks before a game's first turn."""
        return Clock(time, (float(time.initial),) * seats, at)

    @property
    def deadline(self) -> float | None:
        """The moment at which a seat's time is up if nothing happens."""
        return None if self.running is None else self.since + self.left[self.running]

    def is_up(self, now: float) -> bool:
        """Whether the time of the seat whose clock runs is up."""
        return self.deadline is not None and now >= self.deadline

    def remaining(self, now: float) -> tuple[float, ...]:
        """Seconds left for every seat."""
        used = max(now - self.since, 0.0)
        return tuple(
            max(left - used, 0.0) if seat == self.running else left for seat, left in enumerate(self.left)
        )

    def at(self, now: float) -> "Clock":
        """The clocks at a moment that isn't before `since`."""
        return replace(self, left=self.remaining(now), since=now)

    def turn_finished(self, seat: int) -> "Clock":
        """The clocks when a seat's turn has ended: it gets its increment."""
        added = self.time.increment if seat in self.moved else 0.0
        return replace(self._given(seat, self.left[seat] + added), moved=self.moved | {seat})

    def running_for(self, seat: int | None) -> "Clock":
        """The clocks with one running: a seat's, or none."""
        timed = seat if seat in self.moved else None
        fresh = self.time.kind == "simple" and timed is not None and timed != self.running
        clock = self._given(timed, float(self.time.initial)) if fresh and timed is not None else self
        return replace(clock, running=timed)

    def _given(self, seat: int, left: float) -> "Clock":
        return replace(self, left=(*self.left[:seat], left, *self.left[seat + 1 :]))
