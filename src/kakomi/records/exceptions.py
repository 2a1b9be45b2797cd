"""The error for a file or a record that can't be used."""

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.records.text import tidy_line

_LONGEST = 400


class RecordError(ValueError):
    """A record that is malformed or illegal; the message names the place and the reason.

    It is one line of reasonable length without control characters, whatever the file holds.
    """

    def __init__(self, message: str) -> None:
        line = tidy_line(message)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        super().__init__(message if message == line else line)


def located(place: str, reason: str) -> RecordError:
    """An error with the place first, which is a field's name or a turn's."""
    return RecordError(lazy_message("{where}: {reason}", where=place, reason=reason))


def wrong_game(game: str, wanted: str) -> LazyMessage:
    """The error for a record of another game."""
    return lazy_message("the record is of {game}, not of {wanted}", game=game, wanted=wanted)


def reason_of(error: Exception) -> str:
    """The message of an error, still translatable if it was before."""
    words = error.args[0] if len(error.args) == 1 else None
    return words if isinstance(words, str) else str(error)
