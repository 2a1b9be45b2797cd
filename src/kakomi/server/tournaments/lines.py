"""What pages show of a tournament's people and games, one thing a line."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.bots import make_bot
from kakomi.contest.tournament import Row
from kakomi.server.tournaments.models import Entrant
from kakomi.server.tournaments.wording import LEAVING, points_label


@dataclass(frozen=True)
class Cell:
    """What somebody did in a round."""

    text: str
    said: str
    """The same in words."""
    code: str = ""
    """The table's."""
    annulled: str = ""
    """Why it counts for nobody; empty if it counts."""


@dataclass(frozen=True)
class Line:
    """Somebody in the standings, with what they did in each column of a table."""

    number: int
    """From 1, in the order of the table."""
    row: Row
    entrant: Entrant
    cells: Sequence[Cell]
    is_own: bool
    reached: str = ""
    """The round of a knock-out in which they went out, or that they are still in it or have won it."""
    place: int | None = None
    """What is shown: none for those who left early, and for those who are still in a knock-out."""

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
    part: str
    """The part of the tournament it belongs to, in words."""
    is_annulled: bool = False
    """Whether it counts for nobody, as somebody left."""

    @property
    def running_number(self) -> str:
        """Its number where games begin at any time, and there are no rounds to tell them apart."""
        return f"{self.round}-{self.number}"


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


@dataclass(frozen=True)
class Side:
    """One side of a match of a bracket."""

    entrant: Entrant | None
    """None for a bye, and while the match before isn't decided."""
    cells: Sequence[Cell] = ()
    """How the games of the match ended for them."""
    is_winner: bool = False
    is_bye: bool = False

    @property
    def bot(self) -> str:
        """The name of a bot of the site; empty for a guest."""
        return bot_name(self.entrant) if self.entrant else ""


@dataclass(frozen=True)
class BracketColumn:
    """A round of a bracket, or its winner: matches from the top, each with its sides."""

    title: str
    matches: Sequence[Sequence[Side]]
    """A match between nobody, and nobody to come, has no sides."""


@dataclass(frozen=True)
class BracketPart:
    """A bracket as it is drawn."""

    title: str
    """Empty if there is just one."""
    columns: Sequence[BracketColumn]


def called(entrant: Entrant) -> str:
    """What somebody is called in texts."""
    return bot_name(entrant) or str(entrant.guest)


def bot_name(entrant: Entrant) -> str:
    """The name of a bot of the site; empty for a guest."""
    return make_bot(entrant.bot).name if entrant.bot else ""
