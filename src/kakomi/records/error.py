"""The error for a file or a record that can't be used."""

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
