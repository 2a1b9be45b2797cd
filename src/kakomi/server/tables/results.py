"""Games of a match that are over, as a page tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.server.tables import sentences
from kakomi.server.tables.seat_views import SeatView
from kakomi.session import Match


@dataclass(frozen=True)
class GameResult:
    """How a game ended."""

    number: int
    """The first of a match is 1."""
    headline: str
    reason: str
    account: str
    """What its score is made of."""
    points: tuple[float, ...]
    """What each seat scored."""


def game_results(match: Match, places: Sequence[SeatView]) -> list[GameResult]:
    """Those of a match, in their order."""
    return [
        GameResult(
            number,
            sentences.headline(result.winners, places),
            sentences.reason(leg, places),
            sentences.account(leg),
            result.points,
        )
        for number, (leg, result) in enumerate(zip(match.legs, match.results(), strict=False), 1)
    ]
