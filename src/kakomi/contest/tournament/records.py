"""What everybody did in each round, as standings and tie-breaks count it."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from kakomi.contest.tournament.config import Format
from kakomi.contest.tournament.scoring import NOTHING, shares
from kakomi.contest.tournament.state import Game, PlayedRound


@dataclass(frozen=True)
class Appearance:
    """What a round was for somebody."""

    points: Fraction
    against: tuple[tuple[str, Fraction], ...] = ()
    """Whom they met, with 1 for each one left behind, a half for an equal, 0 otherwise. Empty if nothing was
    played: a bye, or a game to which nobody else came."""
    began: bool = False

    @property
    def is_win(self) -> bool:
        """Whether they left everybody behind whom they met."""
        return bool(self.against) and all(share == 1 for _, share in self.against)


Records = dict[str, list[Appearance]]


def records_of(names: Iterable[str], rounds: Iterable[PlayedRound], config: Format) -> Records:
    """The records of everybody in `names`; games that go on count nothing yet."""
    found: Records = {name: [] for name in names}
    for played in rounds:
        for name in played.byes:
            if name in found:
                found[name].append(Appearance(Fraction(config.bye)))
        for game in played.games:
            for name, appearance in _appearances(game):
                if name in found:
                    found[name].append(appearance)
    return found


def _appearances(game: Game) -> Iterable[tuple[str, Appearance]]:
    if game.result is None:
        return
    points, met = shares(game.result), set(game.met())
    place = dict(zip(game.seats, game.result.places, strict=True))
    for seat, name in enumerate(game.seats):
        others = [other for other in game.seats if other in met and other != name] if name in met else []
        against = tuple((other, _share(place[name], place[other])) for other in others)
        yield name, Appearance(points[seat], against, seat == 0)


def _share(own: int, other: int) -> Fraction:
    return Fraction((other > own) * 2 + (other == own), 2)


def points_of(records: Records) -> dict[str, Fraction]:
    """Everybody's points."""
    return {name: sum((each.points for each in record), NOTHING) for name, record in records.items()}
