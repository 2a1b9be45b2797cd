"""Bounds on a value, and the next threshold to test."""

from dataclasses import dataclass

FAR = 1 << 14
"""Larger than any margin."""


@dataclass(frozen=True)
class Bounds:
    """Inclusive bounds on a value, a margin in points; None: no bound is known."""

    lower: int | None = None
    upper: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the bounds determine the value."""
        return self.lower is not None and self.lower == self.upper

    @property
    def outcome(self) -> str:
        """The possible outcomes: `win`, `draw`, `loss`, two of them such as `draw or win`, or `unknown`."""
        lower, upper = self._numbers()
        possible = [
            name
            for name, may_be in (("loss", lower < 0), ("draw", lower <= 0 <= upper), ("win", upper > 0))
            if may_be
        ]
        return "unknown" if len(possible) == 3 else " or ".join(possible)

    def answers(self, threshold: int) -> bool:
        """Whether the bounds decide if the value is at least `threshold`."""
        lower, upper = self._numbers()
        return lower >= threshold or upper < threshold

    def after(self, threshold: int, best: int) -> "Bounds":
        """Tighten one bound to `best`: the lower if it reaches the threshold, else the upper."""
        lower, upper = self._numbers()
        if best >= threshold:
            return Bounds(max(lower, best), self.upper)
        return Bounds(self.lower, min(upper, best))

    def narrowed_by(self, others: "Bounds") -> "Bounds":
        """Intersect with other valid bounds if that leaves one value; else return these bounds unchanged."""
        mine, theirs = self._numbers(), others._numbers()
        both = Bounds(max(mine[0], theirs[0]), min(mine[1], theirs[1]))
        return both if both.is_exact else self

    def next_threshold(self, guess: int = 1) -> int:
        """Return the next threshold to test: the guess, then win or draw, then growing steps from the known
        bound, then the middle of both. Raises ValueError if the value is known."""
        lower, upper = self._numbers()
        if lower >= upper:
            raise ValueError("the value is known: there is nothing to ask")
        if self.lower is None and self.upper is None:
            return guess
        for threshold in (1, 0):
            if lower < threshold <= upper:
                return threshold
        if self.upper is None:
            return lower + max(1, lower - guess)
        if self.lower is None:
            return upper + 1 - max(1, guess - upper)
        return (lower + upper + 1) // 2

    def _numbers(self) -> tuple[int, int]:
        return (
            -FAR if self.lower is None else self.lower,
            FAR if self.upper is None else self.upper,
        )
