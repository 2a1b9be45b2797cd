"""Whole schedules at tables by annealing, where no design is known: all rounds are improved together."""

import math
from itertools import combinations
from random import Random

MOVES_A_SEAT = 1500
MOST_MOVES = 250_000
REPEAT = 4
"""What a repeated meeting costs. Being at smaller tables costs the square of how often."""


class ScheduleSearch:
    """Rounds at tables, and how often any two meet in them.

    A pair that meets k times costs k * (k - 1) / 2 repeats, so that they are few and spread. Rounds and
    tables keep their sizes; two people change places in one round, again and again.
    """

    def __init__(self, rounds: list[list[list[int]]], people: int) -> None:
        self._rounds = [[list(table) for table in tables] for tables in rounds]
        self._table_of = [[0] * people for _ in rounds]
        self._met = [[0] * people for _ in range(people)]
        self._small = [0] * people
        """How often everybody is at a table that is smaller than the largest of its round."""
        for tables, of_round in zip(self._rounds, self._table_of, strict=True):
            for number, table in enumerate(tables):
                for person in table:
                    of_round[person] = number
                    self._small[person] += len(table) < len(tables[0])
                for one, other in combinations(table, 2):
                    self._met[one][other] += 1
                    self._met[other][one] += 1
        repeats = sum(k * (k - 1) // 2 for row in self._met for k in row) // 2
        self.cost = REPEAT * repeats + sum(k * k for k in self._small)

    def run(self, draw: Random, fewest: int = 0) -> list[list[list[int]]]:
        """The best schedule that was found; it ends early if it has the fewest repeats that there can be, and
        smaller tables are shared out evenly."""
        people = len(self._met)
        moves = min(MOVES_A_SEAT * people * len(self._rounds), MOST_MOVES)
        best, best_cost = self._copy(), self.cost
        often, more = divmod(sum(self._small), people)
        least = REPEAT * fewest + people * often**2 + more * (2 * often + 1)
        heat, last = 0.7 * REPEAT, 0.08 * REPEAT
        cooling = (last / heat) ** (1 / moves)
        for _ in range(moves):
            if best_cost <= least:
                break
            number = int(draw.random() * len(self._rounds))
            one, other = int(draw.random() * people), int(draw.random() * people)
            heat *= cooling
            of_round = self._table_of[number]
            if of_round[one] == of_round[other]:
                continue
            change = self._change(number, one, other)
            if change <= 0 or draw.random() < math.exp(-change / heat):
                self._exchange(number, one, other)
                self.cost += change
                if self.cost < best_cost:
                    best, best_cost = self._copy(), self.cost
        self.cost = best_cost
        return best

    def _change(self, number: int, one: int, other: int) -> int:
        """By how much the cost changes if two exchange their places in a round."""
        tables, of_round = self._rounds[number], self._table_of[number]
        met, its_met = self._met[one], self._met[other]
        change = 0
        for person in tables[of_round[one]]:
            if person != one:
                change += its_met[person] - met[person] + 1
        for person in tables[of_round[other]]:
            if person != other:
                change += met[person] - its_met[person] + 1
        change *= REPEAT
        size, its_size = len(tables[of_round[one]]), len(tables[of_round[other]])
        if size != its_size:
            into, out = (one, other) if size > its_size else (other, one)
            change += 2 * (self._small[into] - self._small[out]) + 2
        return change

    def _exchange(self, number: int, one: int, other: int) -> None:
        of_round = self._table_of[number]
        table, its_table = self._rounds[number][of_round[one]], self._rounds[number][of_round[other]]
        if len(table) != len(its_table):
            into, out = (one, other) if len(table) > len(its_table) else (other, one)
            self._small[into] += 1
            self._small[out] -= 1
        self._count(one, table, -1)
        self._count(other, its_table, -1)
        table[table.index(one)], its_table[its_table.index(other)] = other, one
        of_round[one], of_round[other] = of_round[other], of_round[one]
        self._count(other, table, 1)
        self._count(one, its_table, 1)

    def _count(self, one: int, table: list[int], by: int) -> None:
        for person in table:
            if person != one:
                self._met[one][person] += by
                self._met[person][one] += by

    def _copy(self) -> list[list[list[int]]]:
        return [[list(table) for table in tables] for tables in self._rounds]
