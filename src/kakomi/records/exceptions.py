"""What is said of a file or a record that can't be used, or not all of it, and what reading it may cost."""

from dataclasses import dataclass, field

from kakomi.core.i18n import LazyMessage, lazy_message
from kakomi.records.text import tidy_line

_LONGEST = 400
MOST_ACTIONS = 100_000
"""The most in a record, variations included; no real game has more."""


class RecordError(ValueError):
    """A record that is malformed or illegal; the message names the place and the reason.

    It is one line of reasonable length without control characters, whatever the file holds.
    """

    def __init__(self, message: str) -> None:
        line = tidy_line(message)
        line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
        super().__init__(message if message == line else line)


class RecordWarning(UserWarning):
    """Something in a file was left out, or had to be guessed; the record has all the rest."""


@dataclass
class Reading:
    """One file as it is read: what that may cost and has cost, and what is to be said of it.

    Work is counted, and what costs more than it may is refused at that point, not at its end.
    """

    most_parts: int = 500_000
    """The most nodes and values of an SGF file."""
    most_actions: int = MOST_ACTIONS
    parts: int = 0
    actions: int = 0
    played: int = 0
    """The actions that were played by the rules."""
    warnings: list[str] = field(default_factory=list)
    """What was left out, or had to be guessed, each a sentence; the record has all the rest."""

    def warn(self, message: LazyMessage) -> None:
        """Note something to be said, made safe to print as errors are."""
        self.warnings.append(*RecordError(message).args)

    def expect_actions(self, count: int) -> None:
        """Note how many actions there are so far. Raises RecordError for too many."""
        self.actions = count
        if count > self.most_actions:
            most = self.most_actions
            raise RecordError(lazy_message("the record holds more than {most:,} actions", most=most))

    def expect_parts(self, count: int) -> None:
        """Note how many nodes and values there are so far. Raises RecordError for too many."""
        self.parts = count
        if count > self.most_parts:
            most = self.most_parts
            raise RecordError(
                lazy_message("the SGF file holds more than {most:,} nodes and values", most=most)
            )


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
