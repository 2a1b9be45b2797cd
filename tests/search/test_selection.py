"""The selection of a child for a simulation, by visits elsewhere in the tree or by its prior."""

from dataclasses import replace

import numpy as np
import pytest

import kakomi
from kakomi.core.level_config import SearchConfig
from kakomi.search import Search
from kakomi.search.tree import DRAWN, NO_CHILDREN, NOBODY, NODE, ROOT
from search.selection_driver import chosen

PUCT = SearchConfig(puct=1.0, equivalence=0)
FIRST = 1
"""The first child of the root in these trees."""


Tree = tuple[np.ndarray, np.ndarray]


def tree(children: int) -> Tree:
    """A root with unvisited children, whose priors are 1/2, 1/4 and so on; player 0 chooses."""
    nodes, sums = np.zeros(1 + children, NODE), np.zeros((1 + children, 2))
    nodes["winner"] = NOBODY
    nodes["first_child"][ROOT], nodes["children"][ROOT] = FIRST, children
    nodes["visits"][ROOT] = 1
    nodes["amaf_visits"][FIRST:] = 0.5 ** np.arange(1, children + 1)
    return nodes, sums


def visited(grown: Tree, child: int, times: int, gain: float) -> None:
    nodes, sums = grown
    for node in (ROOT, child):
        nodes["visits"][node] += times
        sums[node] += times * np.array([gain, 1 - gain])


def choice(grown: Tree, config: SearchConfig = PUCT) -> int:
    nodes, sums = grown
    return int(chosen(nodes, nodes["visits"], sums, config.record()))


def test_the_largest_share_is_visited_first_and_again_until_it_disappoints() -> None:
    grown = tree(3)
    assert choice(grown) == FIRST
    visited(grown, FIRST, 1, 0.9)
    assert choice(grown) == FIRST
    visited(grown, FIRST, 3, 0.0)
    assert choice(grown) == FIRST + 1


def test_a_small_share_is_visited_in_the_end() -> None:
    grown = tree(6)
    seen = set()
    for _ in range(400):
        seen.add(child := choice(grown))
        visited(grown, child, 1, 0.5)
    assert seen == set(range(FIRST, FIRST + 6))
    visits = grown[0]["visits"][FIRST:].tolist()
    assert visits == sorted(visits, reverse=True)


@pytest.mark.parametrize("config", [PUCT, SearchConfig()], ids=["puct", "rave"])
def test_what_is_proven_is_heeded(config: SearchConfig) -> None:
    """A win is taken, a loss avoided if there is an alternative, and a draw judged by its gains."""
    grown = tree(3)
    for child, gain in ((FIRST, 0.9), (FIRST + 1, 0.4), (FIRST + 2, 0.1)):
        visited(grown, child, 50, gain)
    winner = grown[0]["winner"]
    winner[FIRST] = 1
    assert choice(grown, config) == FIRST + 1
    winner[FIRST + 1] = DRAWN
    assert choice(grown, config) == FIRST + 1
    winner[FIRST : FIRST + 3] = 1
    visited(grown, FIRST + 2, 1, 0.0)
    assert choice(grown, config) == FIRST + 2
    winner[FIRST + 1] = 0
    assert choice(grown, config) == FIRST + 1


@pytest.mark.parametrize("name", kakomi.names())
def test_children_lie_by_share_and_shares_add_up(name: str) -> None:
    game = kakomi.game(name, **kakomi.game(name).description.quick)
    search = Search(game, config=replace(game.description.search_config, puct=1.0, expand_after=1))
    search.run(game.start(), simulations=300)
    nodes = search._tree.nodes
    parents = np.flatnonzero(nodes["first_child"] > NO_CHILDREN)
    assert len(parents) > 1
    for parent in parents:
        first, count = int(nodes["first_child"][parent]), int(nodes["children"][parent])
        children = nodes[first : first + count]
        assert abs(float(children["amaf_visits"].sum()) - 1) < 1e-4
        assert (np.diff(children["amaf_visits"]) <= 0).all()
        is_open = children["winner"] == NOBODY
        assert (np.diff((children["visits"][is_open] > 0).astype(int)) <= 0).all()  # visited ones first
