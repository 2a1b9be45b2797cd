"""Minimum-cost matching: compared with all matchings, and with costs too large for exact float arithmetic."""

import random
from collections.abc import Iterator

import pytest

from kakomi.contest.tournament.swiss import best_pairs


def all_pairs(nodes: tuple[int, ...]) -> Iterator[list[tuple[int, int]]]:
    if not nodes:
        yield []
        return
    for other in nodes[1:]:
        for rest in all_pairs(tuple(node for node in nodes[1:] if node != other)):
            yield [(nodes[0], other), *rest]


@pytest.mark.parametrize("count", [2, 4, 6, 8])
def test_no_other_pairs_cost_less(count: int) -> None:
    draw = random.Random(count)
    for _ in range(20):
        costs = {
            (a, b): (draw.randint(0, 1), draw.randint(0, 3), draw.randint(0, 900))
            for a in range(count)
            for b in range(a + 1, count)
        }

        def total(pairs: list[tuple[int, int]], costs: dict = costs) -> tuple[int, ...]:
            return tuple(sum(costs[pair][kind] for pair in pairs) for kind in range(3))

        found = best_pairs(count, lambda *pair: costs[pair])  # noqa: B023 (called at once)
        assert total(found) == min(map(total, all_pairs(tuple(range(count)))))


def test_as_many_pairs_as_there_can_be() -> None:
    path = {(0, 1): (9,), (1, 2): (0,), (2, 3): (9,)}
    assert best_pairs(4, lambda a, b: path.get((a, b))) == [(0, 1), (2, 3)]
    assert best_pairs(3, lambda a, b: path.get((a, b))) == [(1, 2)]
    assert best_pairs(2, lambda a, b: (0,)) == [(0, 1)]
    assert best_pairs(1, lambda a, b: (0,)) == best_pairs(0, lambda a, b: (0,)) == []


def test_costs_that_are_too_large_keep_what_is_important() -> None:
    huge = 2**90
    costs = {(0, 1): (1, 0, 0), (2, 3): (0, 0, 0), (0, 2): (0, huge, 5), (1, 3): (0, huge, 7)}
    costs |= {(0, 3): (0, huge // 2, 1), (1, 2): (0, huge, 0)}
    assert best_pairs(4, lambda a, b: costs[a, b]) == [(0, 3), (1, 2)]
