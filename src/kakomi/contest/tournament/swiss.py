"""Swiss for two: who has about the same points meets, nobody twice if that can be.

One matching of all who are present decides, and of several aims the first counts infinitely more than the
next: no second meeting or second bye; nobody a third time in the same seat, or three times more; as few
floats as can be, a float being a step from one score group to the next, down to the bye; short floats rather
than long ones; no float in the same direction as in the last round; who should begin meets who should not;
and within a score group the upper half meets the lower, as in FIDE's Dutch system.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from kakomi.contest.tournament.config import Swiss
from kakomi.contest.tournament.entries import Pairing, Round
from kakomi.contest.tournament.history import History
from kakomi.contest.tournament.lots import lot
from kakomi.contest.tournament.matching import Costs, best_pairs
from kakomi.contest.tournament.scoring import scores
from kakomi.contest.tournament.seating import forced_seat, preference, seat_order
from kakomi.contest.tournament.state import Participant, Tournament


def next_swiss_round(tournament: Tournament, config: Swiss, seed: int) -> Round | None:
    """The next round. None after the last one, or if there are no two to play."""
    if len(tournament.rounds) >= config.rounds or len(tournament.present) < 2:
        return None
    field = _Field(tournament, config, seed)
    pairs = best_pairs(field.nodes, field.costs)
    games = [(field.names[one], field.names[other]) for one, other in pairs if other != field.bye]
    byes = tuple(field.names[one] for one, other in pairs if other == field.bye)
    past, number = field.history.seats, len(tournament.rounds) + 1
    return Round(tuple(Pairing(seat_order(game, past, lot(seed, number))) for game in games), byes)


def ranked(present: Sequence[Participant], points: Mapping[str, Fraction], seed: int) -> list[str]:
    """Names by points, then by strength, then by lot."""
    order = sorted(present, key=lambda who: (-points[who.name], -who.strength, lot(seed, "rank", who.name)))
    return [who.name for who in order]


class _Field:
    """Those who are present, by rank, and what a pair of them costs. The bye is one more, behind all."""

    def __init__(self, tournament: Tournament, config: Swiss, seed: int) -> None:
        self.history = History(tournament)
        points = scores(tournament, config)
        self.names = ranked(tournament.present, points, seed)
        self.bye = len(self.names)
        self.nodes = self.bye + self.bye % 2
        steps = sorted({points[name] for name in self.names}, reverse=True)
        self.groups = [steps.index(points[name]) for name in self.names] + [len(steps)]
        sizes = [self.groups.count(group) for group in range(len(steps) + 1)]
        self.sizes = [sizes[group] for group in self.groups]
        starts = [self.groups.index(group) for group in self.groups]
        self.inner = [rank - start for rank, start in enumerate(starts)]
        pasts = [self.history.seats[name] for name in self.names]
        self.forced = [forced_seat(past) for past in pasts]
        self.wishes = [preference(past) for past in pasts]
        down, up = last_floats(tournament, config)
        self.floated_down = [name in down for name in self.names]
        self.floated_up = [name in up for name in self.names]

    def costs(self, one: int, other: int) -> Costs:
        """What it costs that two meet, the first of whom ranks higher."""
        steps = self.groups[other] - self.groups[one]
        again = int(steps > 0 and self.floated_down[one])
        if other == self.bye:
            times = self.history.byes[self.names[one]]
            place = self.sizes[one] - 1 - self.inner[one]
            return (times > 0, times**2, 0, steps, steps**2, again, 0, place**2)
        times = self.history.met(self.names[one], self.names[other])
        forced = self.forced[one] is not None and self.forced[one] == self.forced[other]
        again = again + (steps > 0 and self.floated_up[other])
        return (
            times > 0,
            times**2,
            forced,
            steps,
            steps**2,
            again,
            self._clash(one, other),
            self._distance(one, other, steps),
        )

    def _clash(self, one: int, other: int) -> int:
        """Whether both should begin, or both not: 2 if it is by the balance, 1 if only by the last seats."""
        (balance, last), (its_balance, its_last) = self.wishes[one], self.wishes[other]
        if balance and its_balance:
            return 2 * (balance * its_balance > 0)
        return int((balance or last) * (its_balance or its_last) > 0)

    def _distance(self, one: int, other: int, steps: int) -> int:
        """How far a pair is from the halves of its group, or a float from the edges of the two groups."""
        if steps == 0:
            return (self.inner[other] - self.inner[one] - self.sizes[one] // 2) ** 2
        return (self.sizes[one] - 1 - self.inner[one]) ** 2 + self.inner[other] ** 2


def last_floats(tournament: Tournament, config: Swiss) -> tuple[set[str], set[str]]:
    """Who floated down in the last round, to a bye too, and who up."""
    if not tournament.rounds:
        return set(), set()
    last = tournament.rounds[-1]
    before = scores(tournament, config, tournament.rounds[:-1])
    down, up = set(last.byes), set()
    for game in last.games:
        low, high = sorted(game.seats, key=lambda name: before[name])
        if before[low] < before[high]:
            down.add(high)
            up.add(low)
    return down, up
