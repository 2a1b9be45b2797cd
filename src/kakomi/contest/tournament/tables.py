"""Rounds at tables of several, where everyone meets the others as evenly as possible.

Rounds follow a schedule with few repeated meetings (`designs.py`), reduced to the participants who are
present. If somebody entered late, or table sizes would be uneven, simulated annealing finds the round with
the fewest repeated meetings, by exchanging two people at a time. A pair costs more the more often it has met,
which spreads repeats.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from random import Random

from kakomi.contest.tournament.config import Tables
from kakomi.contest.tournament.designs import schedule, table_sizes
from kakomi.contest.tournament.log import Pairing, Round, Tournament
from kakomi.contest.tournament.seating import History, seat_order
from kakomi.contest.tournament.seeded_random import by_lot, generator, lot

Matrix = Sequence[Sequence[int]]

MOVES_A_PERSON = 400
MOST_MOVES = 60_000
"""The maximum number of exchanges to try. A large field needs fewer per person, as there is more choice."""


class TableSearch:
    """Simulated annealing of a seating of people, numbered from 0.

    `pair_costs[a][b]` is the cost of two people at the same table, `small_costs[a]` the cost of a person at a
    table smaller than the largest. All are integers from 0.
    """

    def __init__(self, sizes: Sequence[int], pair_costs: Matrix, small_costs: Sequence[int]) -> None:
        self._pair_costs = pair_costs
        self._small_costs = small_costs
        self._is_small = [size < sizes[0] for size in sizes]
        people = iter(range(sum(sizes)))
        self._tables = [[next(people) for _ in range(size)] for size in sizes]
        self._table_of = [table for table, size in enumerate(sizes) for _ in range(size)]
        self.cost = self._total()
        self._least = sum(sorted(small_costs)[: sum(size for size in sizes if size < sizes[0])])

    def run(self, draw: Random) -> list[list[int]]:
        """Return the best seating found. It stops early at an optimal one."""
        people = len(self._table_of)
        if len(self._tables) < 2 or self.cost == self._least:
            return self._copy()
        moves = min(MOVES_A_PERSON * people, MOST_MOVES)
        best, best_cost = self._copy(), self.cost
        heat = max(1.0, self.cost / people)
        cooling = (0.02 / heat) ** (1 / moves)
        for _ in range(moves):
            one, other = int(draw.random() * people), int(draw.random() * people)
            heat *= cooling
            if self._table_of[one] == self._table_of[other]:
                continue
            change = self._change(one, other)
            if change <= 0 or draw.random() < math.exp(-change / heat):
                self._exchange(one, other)
                self.cost += change
                if self.cost < best_cost:
                    best, best_cost = self._copy(), self.cost
                    if best_cost == self._least:
                        break
        self.cost = best_cost
        return best

    def _change(self, one: int, other: int) -> int:
        """Return the change of the cost if two people exchange places."""
        table, its_table = self._table_of[one], self._table_of[other]
        costs, its_costs = self._pair_costs[one], self._pair_costs[other]
        change = 0
        for person in self._tables[table]:
            if person != one:
                change += its_costs[person] - costs[person]
        for person in self._tables[its_table]:
            if person != other:
                change += costs[person] - its_costs[person]
        if self._is_small[table] != self._is_small[its_table]:
            gain = self._small_costs[other] - self._small_costs[one]
            change += gain if self._is_small[table] else -gain
        return change

    def _exchange(self, one: int, other: int) -> None:
        table, its_table = self._table_of[one], self._table_of[other]
        self._tables[table][self._tables[table].index(one)] = other
        self._tables[its_table][self._tables[its_table].index(other)] = one
        self._table_of[one], self._table_of[other] = its_table, table

    def _total(self) -> int:
        total = 0
        for table, people in enumerate(self._tables):
            for i, one in enumerate(people):
                total += sum(self._pair_costs[one][other] for other in people[i + 1 :])
                total += self._small_costs[one] if self._is_small[table] else 0
        return total

    def _copy(self) -> list[list[int]]:
        return [list(table) for table in self._tables]


Seating = list[list[str]]

_SMALL = 1
"""The cost of sitting at a smaller table once more than others."""
_REPEAT = 64
"""The cost of a repeat, for each earlier meeting. It outweighs sitting at a smaller table."""


def next_tables_round(tournament: Tournament, config: Tables, seed: int) -> Round | None:
    """Return the next round; None after the last one, or if fewer than two are present."""
    if len(tournament.rounds) >= config.rounds or len(tournament.present) < 2:
        return None
    history = History(tournament)
    seating = _seating(tournament, config, history, seed)
    number = len(tournament.rounds) + 1
    return Round(tuple(Pairing(seat_order(table, history.seats, lot(seed, number))) for table in seating))


def _seating(tournament: Tournament, config: Tables, history: History, seed: int) -> Seating:
    rounds = _scheduled(tournament, config, seed)
    number = len(tournament.rounds)
    if rounds and rounds[number] and _is_followed(tournament, rounds):
        return rounds[number]
    searched = _searched(tournament, config, history, seed)
    return min((*filter(None, rounds), searched), key=lambda seating: _burden(seating, history))


def _scheduled(tournament: Tournament, config: Tables, seed: int) -> list[Seating]:
    """Return the rounds of the founders' schedule, reduced to those who are present; a round is empty if
    its table sizes would be uneven. There are no rounds if a late entrant is present."""
    founders = [who.name for who in tournament.participants.values() if who.joined == 0]
    present = {who.name for who in tournament.present}
    if not present <= set(founders):
        return []
    order = by_lot(founders, seed, "founders")
    rounds = []
    for tables in schedule(len(founders), config.seats, config.rounds):
        seating = [[order[person] for person in table if order[person] in present] for table in tables]
        seating = [table for table in seating if table]
        sizes = sorted(map(len, seating), reverse=True)
        rounds.append(seating if sizes == table_sizes(len(present), config.seats) else [])
    return rounds


def _is_followed(tournament: Tournament, rounds: list[Seating]) -> bool:
    """Whether those who are present have only met as scheduled so far."""
    present = {who.name for who in tournament.present}
    for played, seating in zip(tournament.rounds, rounds, strict=False):
        table_of = {name: number for number, table in enumerate(seating) for name in table}
        for game in played.games:
            if len({table_of.get(name, -1) for name in game.seats if name in present}) > 1:
                return False
    return True


def _burden(seating: Seating, history: History) -> int:
    """Return the total number of past meetings between people at the same tables."""
    return sum(history.met(*pair) for table in seating for pair in combinations(table, 2))


def _searched(tournament: Tournament, config: Tables, history: History, seed: int) -> Seating:
    """Return the seating with the fewest repeats found by annealing, tables sorted by their first person."""
    names = by_lot((who.name for who in tournament.present), seed, "tables", len(tournament.rounds))
    sizes = table_sizes(len(names), config.seats)
    pair_costs = [[_REPEAT * history.met(one, other) for other in names] for one in names]
    small = [_small_cost(history, name, sizes[0]) for name in names]
    draw = generator(seed, "annealing", sum(history.meetings.values()), len(names))
    tables = TableSearch(sizes, pair_costs, small).run(draw)
    return [[names[person] for person in sorted(table)] for table in sorted(tables, key=min)]


def _small_cost(history: History, name: str, largest: int) -> int:
    """Return the cost of a smaller table for somebody, which grows with the times they sat at one."""
    times = sum(count for size, count in history.sizes[name].items() if size < largest)
    return _SMALL * (2 * times + 1)
