"""The log of a run's rounds, for people to read later."""

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
    """The number of games so far, including earlier rounds."""
    rows: int
    """The number of positions to learn from in them."""
    steps: int
    """The number of training steps so far."""
    losses: Mapping[str, float]
    """The mean loss of each head over the last steps."""
    hours: float
    """The hours of work until then, without work that was lost when the process was killed."""


class RoundLog:
    """The rounds of a run, one per line of a file, and, in another file, the hours of work until it stopped.

    Incomplete and invalid lines are skipped.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._hours_path = path, path.with_name("hours.json")
        self.rounds = rows_in(path, Round)
        """All rounds so far, oldest first."""
        self._before = max(self.rounds[-1].hours if self.rounds else 0.0, self._kept_hours())
        self._begun = time.monotonic()

    def hours(self) -> float:
        """The hours of work so far."""
        return round(self._before + (time.monotonic() - self._begun) / 3600, 3)

    def keep_hours(self) -> None:
        """Save the hours, so that work since the last round counts if the run ends now."""
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
