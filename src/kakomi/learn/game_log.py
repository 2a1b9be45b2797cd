"""The file of all games of a run: a line a game, written as each ends."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from kakomi.learn.training_game import GameOf, TrainingGame


class GameLogError(Exception):
    """A file that holds something else than training games."""


class GameLog:
    """Training games in a file of JSON lines. One process at a time adds to it.

    A process that is killed while it writes leaves a line without an end; the next one takes that off.
    """

    def __init__(self, path: Path, game_of: GameOf) -> None:
        self.path, self._game_of = path, game_of
        self._mend()

    def add(self, game: TrainingGame) -> None:
        """Add a game, which is kept from now on."""
        line = json.dumps(game.to_json(), separators=(",", ":"))
        with self.path.open("a") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())

    def games(self, skipped: int = 0) -> Iterator[TrainingGame]:
        """All games but the first ones. Raises GameLogError for a line that is none, with its number."""
        if not self.path.exists():
            return
        with self.path.open() as file:
            for number, line in enumerate(file, 1):
                if number <= skipped:
                    continue
                try:
                    yield TrainingGame.from_json(json.loads(line), self._game_of)
                except ValueError as error:
                    raise GameLogError(f"{self.path}, line {number}: {error}") from None

    def _mend(self) -> None:
        if not self.path.exists():
            return
        with self.path.open("rb+") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                file.truncate(whole)
