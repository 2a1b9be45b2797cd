"""A player's time, as GTP has it: a main time, then so many stones in every period (Canadian byo-yomi)."""

from dataclasses import dataclass, replace

TURNS_AHEAD = 20
"""The main time left is divided into this many parts for every stone."""
SAFE_PART = 0.9
"""The usable part of a stone's share; communication takes time too."""
LEAST_SECONDS = 0.01


@dataclass(frozen=True)
class Clock:
    """Time left, in seconds. Without `stones` it is main time, else the time of a period that they are to
    be played in; then a new period begins."""

    seconds: float
    stones: int
    period: float
    period_stones: int

    @classmethod
    def set_to(cls, main: float, period: float, stones: int) -> "Clock | None":
        """A clock at the beginning; None without a limit (a period without stones in it, GTP 2, 4.2)."""
        if period > 0 and stones == 0:
            return None
        clock = cls(main, 0, period, stones)
        return clock if main > 0 else clock._in_period()

    @property
    def share(self) -> float:
        """The seconds for the next stone."""
        if self.stones:
            return max(LEAST_SECONDS, SAFE_PART * self.seconds / self.stones)
        extra = self.period / self.period_stones if self.period_stones else 0.0
        return max(LEAST_SECONDS, SAFE_PART * (self.seconds / TURNS_AHEAD + extra))

    def corrected(self, seconds: float, stones: int) -> "Clock":
        """The clock as the controller reads it."""
        return replace(self, seconds=seconds, stones=stones)

    def after(self, seconds: float) -> "Clock":
        """The clock after a stone that took so long."""
        if self.stones > 1:
            return replace(self, seconds=max(0.0, self.seconds - seconds), stones=self.stones - 1)
        if self.stones == 1 or seconds >= self.seconds:
            return self._in_period()
        return replace(self, seconds=self.seconds - seconds)

    def _in_period(self) -> "Clock":
        return replace(self, seconds=self.period, stones=self.period_stones)
