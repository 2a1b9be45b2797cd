"""An arena for live play: whoever is free is paired now, as often as somebody asks for it.

Among those who are free, as many are paired as can be: never at once with the opponent of one's last game, as
long as there is somebody else; first those who waited longest; then those who are near in points. Waiting is
counted in games of others that ended meanwhile, as there is no clock here. After `patience` of them, or when
nobody else is in the arena, one plays the last opponent again. So nobody waits for ever while another one is
free.
"""

from collections.abc import Mapping
from fractions import Fraction

from kakomi.contest.tournament.config import Arena
from kakomi.contest.tournament.entries import Pairing, Round
from kakomi.contest.tournament.history import History
from kakomi.contest.tournament.lots import lot
from kakomi.contest.tournament.matching import Costs, best_pairs
from kakomi.contest.tournament.scoring import scores
from kakomi.contest.tournament.seating import seat_order
from kakomi.contest.tournament.state import Tournament
from kakomi.contest.tournament.swiss import ranked


def next_arena_round(tournament: Tournament, config: Arena, seed: int) -> Round | None:
    """Games of people who are free. None if there are none for now."""
    busy = {name for game in tournament.open_games for name in game.seats}
    points = scores(tournament, config)
    free = [name for name in ranked(tournament.present, points, seed) if name not in busy]
    if len(free) < 2:
        return None
    history = History(tournament)
    pairs = best_pairs(len(free), _Costs(tournament, config, history, free, points).of_pair)
    number = len(tournament.rounds) + 1
    pairings = [
        Pairing(seat_order((free[one], free[other]), history.seats, lot(seed, number)))
        for one, other in pairs
    ]
    return Round(tuple(pairings)) if pairings else None


class _Costs:
    """What it costs that two who are free play."""

    def __init__(
        self,
        tournament: Tournament,
        config: Arena,
        history: History,
        free: list[str],
        points: Mapping[str, Fraction],
    ) -> None:
        self._history, self._free, self._patience = history, free, config.patience
        steps = sorted({points[name] for name in free}, reverse=True)
        self._steps = [steps.index(points[name]) for name in free]
        self._waited = [ended_since_free(tournament, name) for name in free]
        self._longest = 2 * max(self._waited)
        self._nobody_else = len(tournament.present) <= len(free) and not tournament.open_games

    def of_pair(self, one: int, other: int) -> Costs | None:
        """None if they have to wait for somebody else."""
        name, its_name = self._free[one], self._free[other]
        again = its_name in self._history.last_round.get(name, ()) and name in self._history.last_round.get(
            its_name, ()
        )
        waited = self._waited[one] + self._waited[other]
        patient = max(self._waited[one], self._waited[other]) < self._patience
        if again and patient and not self._nobody_else:
            return None
        steps = abs(self._steps[one] - self._steps[other])
        return int(again), self._longest - waited, steps**2, self._history.met(name, its_name)


def ended_since_free(tournament: Tournament, name: str) -> int:
    """How many games of others have ended since somebody came, returned, or ended their last game."""
    since = tournament.participants[name].free_since
    return sum(game.ended_at > since for game in tournament.games)
