"""The first line of a backup: what it holds, and what can read it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = 1
BATCH = 500
"""Rows that are dealt with at once."""

Tell = Callable[[int, int], None]
"""Told how many rows of how many have been dealt with."""


class BackupError(Exception):
    """A backup that can't be made or restored, and why."""


@dataclass(frozen=True)
class Manifest:
    """What a backup says about itself."""

    kakomi_backup: int
    made_by: str
    """Version of the program."""
    made_at: float
    migrations: list[str]
    """What the database's schema was, as `app.migration`."""
    rows: dict[str, int]
    """Model -> how many."""
    secret_key: str
    """What cookies are signed with; empty if the environment gave it."""

    @staticmethod
    def of(line: str, path: Path) -> "Manifest":
        """A line as a manifest. Raises BackupError for another format, ValueError or the like for none."""
        data: dict[str, Any] = json.loads(line)
        if (found := data["kakomi_backup"]) != VERSION:
            raise BackupError(f"{path} has format {found}, and this program reads {VERSION}")
        return Manifest(**data)

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        return sum(self.rows.values())

    @property
    def games(self) -> int:
        """How many tables."""
        return self.rows.get("tables.table", 0)
