"""The games of a match on disk."""

import os
from collections.abc import Mapping
from typing import Any

from kakomi.study.kept_file import KeptFile
from kakomi.study.tournament.exceptions import GameLogError
from kakomi.study.tournament.played import Played

FORMAT = "kakomi_match"


class GameLog(KeptFile[Played]):
    """A file to which finished games are added. Raises GameLogError where `KeptFile` raises its error."""

    form, noun, error = FORMAT, "match", GameLogError

    def __init__(self, path: str | os.PathLike[str], terms: Mapping[str, Any]) -> None:
        super().__init__(path, terms, Played)
        self.played = {played.pairing.number: played for played in self.rows}
        """The games by their pairing's number."""

    def add(self, played: Played) -> None:
        """Write a game down; when this returns it is on disk."""
        super().add(played)
        self.played[played.pairing.number] = played
