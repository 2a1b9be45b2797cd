"""What pages show of a tournament's people and games, one thing a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.bots import make_bot
from kakomi.contest.tournament import Row
from kakomi.server.tournaments.models import Entrant
from kakomi.server.tournaments.wording import LEAVING, points_label, stage_label


@dataclass(frozen=True)
class Cell:
    """What somebody did in a round."""

    text: str
    said: str
    """The same in words."""
    code: str = ""
    """The table's."""


@dataclass(frozen=True)
class Line:
    """Somebody in the standings, with what they did in each column of a table."""

    number: int
    row: Row
    entrant: Entrant
    cells: Sequence[Cell]
    is_own: bool

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)

    @property
    def points(self) -> str:
        """As they are shown."""
        return points_label(self.row.points)

    @property
    def tie_breaks(self) -> list[str]:
        """As they are shown."""
        return [points_label(value) for value in self.row.tie_breaks]

    @property
    def status(self) -> str:
        """Why they are no longer there; empty for those who are."""
        return str(LEAVING.get(self.entrant.leaving, ""))


@dataclass(frozen=True)
class Player:
    """Somebody at a table, with how it ended for them."""

    entrant: Entrant
    place: int | None
    is_absent: bool

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)


@dataclass(frozen=True)
class PairingLine:
    """A pairing with its table."""

    number: int
    code: str
    players: Sequence[Player]
    is_over: bool
    stage: str
    round: int

    @property
    def running_number(self) -> str:
        """Its number where games begin at any time, and there are no rounds to tell them apart."""
        return f"{self.round}-{self.number}"

    @property
    def part(self) -> str:
        """The part of the tournament it belongs to, in words."""
        return stage_label(self.stage)


@dataclass(frozen=True)
class RoundPart:
    """A round on the page."""

    number: int
    ends_at: float
    is_over: bool
    pairings: Sequence[PairingLine]
    byes: Sequence[Entrant]


@dataclass(frozen=True)
class ClimbLine:
    """Somebody who has climbed on a ladder, from one rung to another, by a game."""

    entrant: Entrant
    before: int
    after: int
    code: str
    """The table's."""

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant)


def bot_name(entrant: Entrant) -> str:
    """The name of a bot of the site; empty for a guest."""
    return make_bot(entrant.bot).name if entrant.bot else ""
