"""Swiss pairing for two: participants with similar points meet, nobody twice if possible.

One matching of all who are present optimises these aims, in strict order of priority: no second meeting or
second bye; no seat for a third time in succession, and no difference of three between seats; as few
floats as possible, a float being a step from one score group to the next, down to the bye; short floats
rather than long ones; no float in the same direction as in the last round; pairs of one who should start and
one who shouldn't; and, within a score group, upper half against lower half, as in FIDE's Dutch system.

For the matching, the costs of a pair are combined into one integer: each kind is multiplied by more than the
possible total of all later kinds. rustworkx then finds a maximum-weight matching (Edmonds' blossom algorithm)
in exact 128-bit arithmetic.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from kakomi.contest.tournament.config import Swiss
from kakomi.contest.tournament.log import Pairing, Participant, Round, Tournament
from kakomi.contest.tournament.scoring import scores
from kakomi.contest.tournament.seating import History, forced_seat, preference, seat_order
from kakomi.contest.tournament.seeded_random import lot
from kakomi.extras import needs_extra

Costs = tuple[int, ...]
"""Integers from 0, the most important first."""

_BITS = 118
"""The maximum bits of a weight; the algorithm doubles weights and adds some of them."""


def best_pairs(count: int, costs: Callable[[int, int], Costs | None]) -> list[tuple[int, int]]:
    """Return as many disjoint pairs of the numbers below `count` as possible, at the lowest cost.

    `costs` returns the costs of a pair of numbers, the lower first, or None if they can't be paired. Pairs
    have the lower number first and are sorted. If the weights get too large for exact arithmetic, the least
    important costs are made coarser.
    """
    edges = [
        (one, other, cost)
        for one in range(count)
        for other in range(one + 1, count)
        if (cost := costs(one, other)) is not None
    ]
    if not edges:
        return []
    if len(edges) == 1:
        return [edges[0][:2]]
    with needs_extra("site"):
        import rustworkx

    weights = _weights([cost for *_, cost in edges], count // 2)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(
        [(one, other, weight) for (one, other, _), weight in zip(edges, weights, strict=True)]
    )
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def _weights(costs: Sequence[Costs], pairs: int) -> list[int]:
    """Return a weight for each edge, higher for lower costs."""
    kinds = len(costs[0])
    lowest = [min(cost[kind] for cost in costs) for kind in range(kinds)]
    spans = [max(cost[kind] for cost in costs) - lowest[kind] for kind in range(kinds)]
    shifts = _shifts(spans, pairs)
    factors = [1] * kinds
    for kind in range(kinds - 2, -1, -1):
        factors[kind] = factors[kind + 1] * ((spans[kind + 1] >> shifts[kind + 1]) * pairs + 1)
    totals = [sum(((cost[k] - lowest[k]) >> shifts[k]) * factors[k] for k in range(kinds)) for cost in costs]
    most = max(totals)
    return [most - total + 1 for total in totals]


def _shifts(spans: Sequence[int], pairs: int) -> list[int]:
    """Return by how many bits to coarsen each kind of cost, the least important first, so that all fit."""
    bits = [(span * pairs + 1).bit_length() if span else 0 for span in spans]
    shifts = [0] * len(spans)
    excess = max(0, sum(bits) - _BITS)
    for kind in range(len(spans) - 1, -1, -1):
        shifts[kind] = min(bits[kind], excess)
        excess -= shifts[kind]
    return shifts


def next_swiss_round(tournament: Tournament, config: Swiss, seed: int) -> Round | None:
    """Return the next round; None after the last one, or if fewer than two are present."""
    if len(tournament.rounds) >= config.rounds or len(tournament.present) < 2:
        return None
    field = _Field(tournament, config, seed)
    pairs = best_pairs(field.nodes, field.costs)
    games = [(field.names[one], field.names[other]) for one, other in pairs if other != field.bye]
    byes = tuple(field.names[one] for one, other in pairs if other == field.bye)
    past, number = field.history.seats, len(tournament.rounds) + 1
    return Round(tuple(Pairing(seat_order(game, past, lot(seed, number))) for game in games), byes)


def ranked(present: Sequence[Participant], points: Mapping[str, Fraction], seed: int) -> list[str]:
    """Return names by points, then by strength, then by lot."""
    order = sorted(present, key=lambda who: (-points[who.name], -who.strength, lot(seed, "rank", who.name)))
    return [who.name for who in order]


class _Field:
    """Those who are present, by rank, and the costs of pairs. The bye is the number after all others."""

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
        """Return the costs of a pair, the higher ranked first."""
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
        """Return whether both or neither should start: 2 by balance, 1 only by the last seats, else 0."""
        (balance, last), (its_balance, its_last) = self.wishes[one], self.wishes[other]
        if balance and its_balance:
            return 2 * (balance * its_balance > 0)
        return int((balance or last) * (its_balance or its_last) > 0)

    def _distance(self, one: int, other: int, steps: int) -> int:
        """Return a pair's distance from the halves of its group, or a float's from the groups' edges."""
        if steps == 0:
            return (self.inner[other] - self.inner[one] - self.sizes[one] // 2) ** 2
        return (self.sizes[one] - 1 - self.inner[one]) ** 2 + self.inner[other] ** 2


def last_floats(tournament: Tournament, config: Swiss) -> tuple[set[str], set[str]]:
    """Return who floated down in the last round, including byes, and who floated up."""
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
