"""What a challenge between teams asks for, and what it may be."""

from dataclasses import dataclass

from kakomi.core.i18n import lazy_message
from kakomi.server.lobby.terms import SeekTerms
from kakomi.server.tables.rated_games import why_unrated
from kakomi.server.team_matches.models import TeamMatch
from kakomi.session import Refused
from kakomi.session.time_control import DAY

MOST_BOARDS = 50
LATEST_DAYS = 60


@dataclass(frozen=True)
class MatchTerms:
    """A team match that somebody asks for."""

    terms: SeekTerms
    boards: int
    games: int
    begins_at: float
    """Seconds since the epoch."""
    is_rated: bool = False

    def check(self, now: float) -> None:
        """Raise Refused for what can't be, in one sentence that says what could."""
        self.terms.check_seats(2, 2)
        if not 1 <= self.boards <= MOST_BOARDS:
            raise Refused(lazy_message("A team match has 1 to {most} boards.", most=MOST_BOARDS))
        if self.games not in (1, 2):
            raise Refused(lazy_message("At each board one game is played, or two."))
        if not now <= self.begins_at <= now + LATEST_DAYS * DAY:
            raise Refused(lazy_message("It begins in {most} days at the latest.", most=LATEST_DAYS))
        if self.is_rated:
            for wrong in why_unrated(self.terms.game_for(2), self.terms.control, "").values():
                raise Refused(wrong)


def terms_of(row: TeamMatch) -> SeekTerms:
    """The terms of a match's games."""
    return SeekTerms.from_json(row.terms)
