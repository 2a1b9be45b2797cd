"""How far each round of a run came, for whoever reads of it afterwards."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kakomi.core.line_file import add_row, rows_in
from kakomi.core.system import replace_file


@dataclass(frozen=True)
class Round:
    """A round that ended with a checkpoint."""

    checkpoint: str
    """Its name, `0012`."""
    games: int
    """So far, those of earlier rounds with them;"""
    rows: int
    """positions to learn from in them,"""
    steps: int
    """and steps of training."""
    losses: Mapping[str, float]
    """The mean loss of each head in the last steps."""
    hours: float
    """Of work until then. What a kill cost between two rounds does not count."""


class RoundLog:
    """The rounds of a run, a line each in a file, and beside it the hours of work until it was stopped.

    A line that was cut off or is none is left out.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._hours_path = path, path.with_name("hours.json")
        self.rounds = rows_in(path, Round)
        """All so far, oldest first."""
        self._before = max(self.rounds[-1].hours if self.rounds else 0.0, self._kept_hours())
        self._begun = time.monotonic()

    def hours(self) -> float:
        """Hours of work so far."""
        return round(self._before + (time.monotonic() - self._begun) / 3600, 3)

    def keep_hours(self) -> None:
        """Count the work since the last round also if the run ends now."""
        replace_file(self._hours_path, json.dumps(self.hours()).encode())

    def _kept_hours(self) -> float:
        try:
            return float(json.loads(self._hours_path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return 0.0

    def add(self, ended: Round) -> None:
        """Add a round."""
        add_row(self._path, ended)
        self.rounds.append(ended)
