"""Pairs that are best as a whole, by several costs of which each is infinitely more important than the next.

The costs of a pair become one whole number: that of each kind is multiplied by more than all pairs together
can cost of all kinds after it. rustworkx then finds a matching of greatest weight (Edmonds' blossoms), in
exact arithmetic of 128 bits.
"""

from collections.abc import Callable, Sequence

from kakomi.extras import needs_extra

Costs = tuple[int, ...]
"""Whole numbers from 0, the most important first."""

_BITS = 118
"""Weights may have so many bits; the algorithm doubles them, and adds up some."""


def best_pairs(count: int, costs: Callable[[int, int], Costs | None]) -> list[tuple[int, int]]:
    """Pairs of the numbers below `count`, each at most once: as many as there can be, and those that cost
    least.

    `costs` tells for two numbers, the lower first, what they cost as a pair, or None if they can't be one.
    Pairs have the lower number first, and are in order. If the numbers get too large for exact arithmetic,
    the least important costs are made coarser.
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
    """A weight for each edge: the less it costs, the more."""
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
    """By how many bits each kind of cost is made coarser, from the last one on, so that all fit."""
    bits = [(span * pairs + 1).bit_length() if span else 0 for span in spans]
    shifts = [0] * len(spans)
    excess = max(0, sum(bits) - _BITS)
    for kind in range(len(spans) - 1, -1, -1):
        shifts[kind] = min(bits[kind], excess)
        excess -= shifts[kind]
    return shifts
