"""The result of certifying a game."""

import textwrap
from dataclasses import dataclass

from kakomi.core import Game

WIDTH = 100
"""Characters to a line of a report."""
LEFT_OUT = "left out: other options, whole searches, SGF and the rules' text (tests/conformance has them)"
"""The further demands of the suite of all games."""
_INDENT = " " * 6


@dataclass(frozen=True)
class Fault:
    """Something that a game does otherwise than it must, and how to see it again."""

    check: str
    """The name of the check that found it."""
    actions: tuple[str, ...]
    """The texts of the actions that lead there from the start."""
    expected: str
    seen: str

    def __str__(self) -> str:
        where = f"after {' '.join(self.actions)}" if self.actions else "at the start"
        return f"{self.check}, {where}: expected {self.expected}; seen {self.seen}"


@dataclass(frozen=True)
class Checked:
    """One check that was made."""

    name: str
    claim: str
    """The demand on a game."""
    count: int
    """The number of comparisons; 0 if a game claims nothing of the kind."""
    fault: Fault | None
    """The first that was found: the check ended there."""

    def __str__(self) -> str:
        outcome = "FAULT" if self.fault else "ok" if self.count else "-"
        row = f"{outcome:<6}{self.name:<15}{self.count:>9,}  {self.claim}"
        lines = textwrap.wrap(row, WIDTH, subsequent_indent=" " * 32)
        if self.fault:
            lines += textwrap.wrap(str(self.fault), WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)
        return "\n".join(lines)


@dataclass(frozen=True)
class Report:
    """All checks of a game, in their order; `str` is a table of them."""

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
        """Whether nothing was found."""
        return not self.faults

    def raise_faults(self) -> None:
        """Raises AssertionError, with the table, if there are faults."""
        if not self.ok:
            raise AssertionError(str(self))

    def __str__(self) -> str:
        head = f"{self.game!r}: {self.games} random games, seed {self.seed}"
        count = sum(checked.count for checked in self.checks)
        faulty = len(self.faults)
        tail = f"{faulty} of {len(self.checks)} checks found a fault" if faulty else "no fault was found"
        return "\n".join([head, *map(str, self.checks), f"{count:,} comparisons, {tail}", LEFT_OUT])
