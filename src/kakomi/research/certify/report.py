"""The result of certifying a game."""

import textwrap
from dataclasses import dataclass

from kakomi.core import Game

WIDTH = 100
"""Characters in a line of a report."""
LEFT_OUT = "left out: other options, whole searches, SGF and the rules' text (tests/conformance has them)"
"""The further checks in the test suite of all games."""
_INDENT = " " * 6


@dataclass(frozen=True)
class Fault:
    """A violation by a game, and how to reproduce it."""

    check: str
    """The name of the check that found it."""
    actions: tuple[str, ...]
    """The texts of the actions from the start to the fault."""
    expected: str
    seen: str

    def __str__(self) -> str:
        where = f"after {' '.join(self.actions)}" if self.actions else "at the start"
        return f"{self.check}, {where}: expected {self.expected}; seen {self.seen}"


@dataclass(frozen=True)
class Checked:
    """The outcome of one check."""

    name: str
    claim: str
    """The requirement that it checks."""
    count: int
    """The number of comparisons; 0 if the check doesn't apply to the game."""
    fault: Fault | None
    """The first fault, at which the check ended."""

    def __str__(self) -> str:
        outcome = "FAULT" if self.fault else "ok" if self.count else "-"
        row = f"{outcome:<6}{self.name:<15}{self.count:>9,}  {self.claim}"
        lines = textwrap.wrap(row, WIDTH, subsequent_indent=" " * 32)
        if self.fault:
            lines += textwrap.wrap(str(self.fault), WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """The outcomes of all checks of a game, in order; `str` gives a table."""

    game: Game
    games: int
    """The number of random games."""
    seed: int
    checks: tuple[Checked, ...]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The first fault of every check that found one."""
        return tuple(checked.fault for checked in self.checks if checked.fault)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def raise_faults(self) -> None:
        """Raise AssertionError, with the table, if there are faults."""
        if not self.ok:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        head = f"{self.game!r}: {self.games} random games, seed {self.seed}"
        count = sum(checked.count for checked in self.checks)
        faulty = len(self.faults)
        tail = f"{faulty} of {len(self.checks)} checks found a fault" if faulty else "no fault was found"
        return "\n".join([head, *map(str, self.checks), f"{count:,} comparisons, {tail}", LEFT_OUT])
