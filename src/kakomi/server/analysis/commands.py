"""What the owner of a study can do to a node of it, as data."""

from dataclasses import dataclass

from kakomi.core import Game
from kakomi.records import Record
from kakomi.server.analysis import study_edit
from kakomi.server.analysis.study_edit import Edited


@dataclass(frozen=True)
class Play:
    """Play an action: a variation, unless it is there already."""

    action: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises IllegalAction or Refused."""
        return study_edit.play(record, game, node, self.action)


@dataclass(frozen=True)
class Comment:
    """Write a comment; an empty text takes away what was there."""

    text: str

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused for a text that is too long."""
        del game
        return study_edit.comment(record, node, self.text)


@dataclass(frozen=True)
class Shorten:
    """Take back the last action of a line."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused within a line."""
        return study_edit.shorten(record, game, node)


@dataclass(frozen=True)
class Promote:
    """Put the variation that a node is in first."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused in the main line."""
        return study_edit.promote(record, game, node)


@dataclass(frozen=True)
class Remove:
    """Delete a turn and all that follows it."""

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards. Raises Refused at the start."""
        return study_edit.remove(record, game, node)


@dataclass(frozen=True)
class CatchUp:
    """Add what was played at the table since."""

    latest: Record

    def edit(self, record: Record, game: Game, node: int) -> Edited:
        """The record afterwards."""
        del game, node
        return study_edit.catch_up(record, self.latest), 0


@dataclass(frozen=True)
class Undo:
    """Take back the last edit, whatever node it was at."""


NodeCommand = Play | Comment | Shorten | Promote | Remove | CatchUp
StudyCommand = NodeCommand | Undo


@dataclass(frozen=True)
class Submission:
    """A command, and what its sender saw."""

    command: StudyCommand
    node: int
    """The turn that they looked at."""
    version: int
    """The version of the study."""
