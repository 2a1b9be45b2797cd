"""People at tables by annealing: two change places, again and again, by a generator that is passed in."""

import math
from collections.abc import Sequence
from random import Random

Matrix = Sequence[Sequence[int]]

MOVES_A_PERSON = 400
MOST_MOVES = 60_000
"""So many exchanges are tried at most. On a large field people need the fewest, as there is much choice."""


class TableSearch:
    """A seating of people, numbered from 0, and what it costs.

    `pair_costs[a][b]` is what it costs that two sit at a table, `small_costs[a]` that somebody sits at one
    that is smaller than the largest. All are whole numbers from 0.
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
        """The best seating that was found. It ends early with a seating that can't be better."""
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
        """By how much the cost changes if two exchange their places."""
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
