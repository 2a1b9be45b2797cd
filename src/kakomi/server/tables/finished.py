"""Games of a match that are over, as a page tells of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from kakomi.server.tables import sentences
from kakomi.server.tables.places import Place
from kakomi.session import Match


@dataclass(frozen=True)
class Finished:
    """How a game ended."""

    number: int
    """The first of a match is 1."""
    headline: str
    reason: str
    account: str
    """What its score is made of."""
    points: tuple[float, ...]
    """What each seat scored."""


def finished_games(match: Match, places: Sequence[Place]) -> list[Finished]:
    """Those of a match, in their order."""
    return [
        Finished(
            number,
            sentences.headline(result.winners, places),
            sentences.reason(leg, places),
            sentences.account(leg),
            result.points,
        )
        for number, (leg, result) in enumerate(zip(match.legs, match.results(), strict=False), 1)
    ]
