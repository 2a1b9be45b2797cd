"""The file of all games of a run: a line a game, written as each ends."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from kakomi.core.line_file import FileInUseError, LineFile, whole_lines
from kakomi.learn.training_game import GameOf, TrainingGame


class GameLogError(Exception):
    """A file that holds something else than training games, or that another run has."""


class GameLog:
    """Training games in a file, to which this process alone adds.

    Raises GameLogError while another process has the file.
    """

    def __init__(self, path: Path, game_of: GameOf) -> None:
        self._game_of = game_of
        try:
            self._file = LineFile(path)
        except FileInUseError:
            raise GameLogError(f"{path.parent}: another run is going on in this folder") from None

    def add(self, game: TrainingGame) -> None:
        """Add a game, which is kept from now on."""
        self._file.add(json.dumps(game.to_json(), separators=(",", ":")).encode())

    def games(self) -> Iterator[TrainingGame]:
        """All games so far. Raises GameLogError for a line that is none, with its number."""
        return _games(self._file.path, self._file.lines(), self._game_of)

    def close(self) -> None:
        """Let others have the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def games_in(path: Path, game_of: GameOf) -> Iterator[TrainingGame]:
    """All games of a run, which may be going on meanwhile.

    Raises GameLogError for a line that is none, with its number, and OSError as `open` does.
    """
    return _games(path, whole_lines(path), game_of)


def _games(path: Path, lines: Iterable[bytes], game_of: GameOf) -> Iterator[TrainingGame]:
    for number, line in enumerate(lines, 1):
        try:
            yield TrainingGame.from_json(json.loads(line), game_of)
        except ValueError as error:
            raise GameLogError(f"{path}, line {number}: {error}") from None
