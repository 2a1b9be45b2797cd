"""Errors of matches, each with a message."""

from kakomi.study.kept_file import KeptFileError


class GameLogError(KeptFileError):
    """A file of games that can't be gone on with; the message says why."""


class MissingLibrary(ImportError):  # noqa: N818 (says what is the matter)
    """The library that fits ratings isn't installed."""


class Forfeit(Exception):  # noqa: N818 (what a player does, not an error of ours)
    """A player can't go on."""

    def __init__(self, player: int, reason: str) -> None:
        super().__init__(reason)
        self.player = player
        self.reason = reason
