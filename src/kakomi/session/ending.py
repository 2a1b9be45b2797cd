"""How a match ended."""

from dataclasses import dataclass

from kakomi.session.match import Match
from kakomi.session.match_game import Reason


@dataclass(frozen=True)
class Ending:
    """How a match ended, seat by seat."""

    reason: Reason
    """Why its last game ended."""
    winners: tuple[int, ...]
    """The seats that won or share the win; all of them after a draw."""
    points: tuple[float, ...]
    """What each seat scored, in all games together."""

    @staticmethod
    def of(match: Match) -> "Ending | None":
        """The ending of a match; None while it goes on."""
        if not match.is_over:
            return None
        return Ending(match.leg.result().reason, match.winners(), match.points())
