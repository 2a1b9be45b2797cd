"""The assignment of seats at a table: everyone gets each seat about equally often, at tables of any size.

Between two players it decides who starts. As with colours in chess, pairing first avoids the same seat three
times in succession and a difference of three, then seats that somebody had often, then the seat that they
had last. `History` holds the past that pairing depends on: meetings, seats and byes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations

from kakomi.contest.tournament.log import Game, Tournament
from kakomi.contest.tournament.seeded_random import lot

SeatCost = tuple[int, int, int]


def has_excess(past: Sequence[int], seat: int, seats: int) -> bool:
    """Whether the seat would be the third in succession, or make a difference of three to another one."""
    counts = [past.count(each) for each in range(seats)]
    in_succession = len(past) >= 2 and past[-1] == past[-2] == seat
    return in_succession or counts[seat] - min(counts) >= 2


def seat_cost(past: Sequence[int], seat: int, seats: int) -> SeatCost:
    """Return the costs of a seat, given the past seats, the most important first."""
    counts = [past.count(each) for each in range(seats)]
    excess = has_excess(past, seat, seats)
    return int(excess), (counts[seat] - min(counts)) ** 2, int(bool(past) and past[-1] == seat)


def forced_seat(past: Sequence[int]) -> int | None:
    """Return the seat that somebody must get in a game of two, as the other is excessive; else None."""
    balance = 2 * past.count(0) - len(past)
    if abs(balance) >= 2:
        return 1 if balance > 0 else 0
    return 1 - past[-1] if len(past) >= 2 and past[-1] == past[-2] else None


def preference(past: Sequence[int]) -> tuple[int, int]:
    """Return how strongly somebody should start in a game of two: by balance, then by the last seat."""
    begun = past.count(0)
    return (len(past) - begun) - begun, (1 if past[-1] else -1) if past else 0


def seat_order(table: Sequence[str], past: Mapping[str, Sequence[int]], seed: int) -> tuple[str, ...]:
    """Return the order of seats at a table that is fairest given the past; equals by lot."""
    seats = len(table)
    costs = {name: [seat_cost(past[name], seat, seats) for seat in range(seats)] for name in table}
    names = sorted(table, key=lambda name: (lot(seed, "seat", *sorted(table), name), name))

    def cost(order: Sequence[str]) -> SeatCost:
        each = [costs[name][seat] for seat, name in enumerate(order)]
        return sum(c[0] for c in each), sum(c[1] for c in each), sum(c[2] for c in each)

    return min(permutations(names), key=cost)  # of equals, the first by lot


class History:
    """The past of a tournament's participants. Games count from their pairing on, unless not played."""

    def __init__(self, tournament: Tournament) -> None:
        self.meetings: Counter[frozenset[str]] = Counter()
        """Pair -> the number of their meetings."""
        self.seats: dict[str, list[int]] = {name: [] for name in tournament.participants}
        """Name -> the seats in their games, in order."""
        self.sizes: dict[str, Counter[int]] = {name: Counter() for name in tournament.participants}
        """Name -> table size -> the number of games."""
        self.byes: Counter[str] = Counter()
        """Name -> the number of byes and of wins without play."""
        for played in tournament.rounds:
            self.byes.update(played.byes)
            for game in played.games:
                self._add(game)

    def _add(self, game: Game) -> None:
        seats, met = game.seats, game.met()
        if not met:
            self.byes.update(game.came())
            return
        for pair in combinations(met, 2):
            self.meetings[frozenset(pair)] += 1
        for name in met:
            self.seats[name].append(seats.index(name))
            self.sizes[name][len(seats)] += 1

    def met(self, one: str, other: str) -> int:
        """Return how often two met."""
        return self.meetings[frozenset((one, other))]

    def repeats(self, tables: Iterable[Sequence[str]]) -> int:
        """Return how many pairs at these tables have met before."""
        return sum(self.met(*pair) > 0 for table in tables for pair in combinations(table, 2))
