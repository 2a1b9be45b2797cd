"""Searches of self-play by visits, and the effects of noise at the root."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from kakomi.learn.root_search import Choice, VisitSearch
from kakomi.search.advised_search import AdvisedWorker, advised
from kakomi.search.tree import ROOT, Tree
from learn.played import quick, result_of
from search.evaluators import InsistentEvaluator

SIMULATIONS = 60


def searched(noise: float, seed: int = 1) -> tuple[Choice, Tree]:
    """A choice at the start of Rive with an evaluator that favours a single action."""
    game = quick("rive")
    tree, position = Tree(game.players, len(game.actions), 4.0), game.start()
    config = replace(advised(game.description.search_config, 1.0), fpu_reduction=0.0)
    worker = AdvisedWorker(game, tree, config, 1, InsistentEvaluator(game, position.legal_actions()[0]), 1.0)

    def simulate(n: int) -> Iterator[None]:
        worker.simulate(position.states(), n)
        yield

    search = VisitSearch(tree, game.players, SIMULATIONS, SIMULATIONS, 1.0, noise)
    return result_of(search.choose(simulate, 1.0, np.random.default_rng(seed))), tree


def root_children(tree: Tree) -> np.ndarray:
    children = tree.children(ROOT)
    return tree.nodes[children.start : children.stop]


def by_action(tree: Tree) -> np.ndarray:
    """The priors of the root's actions, ordered by action."""
    children = root_children(tree)
    return children["amaf_visits"][np.argsort(children["action"])].astype(float)


def test_noise_is_its_share_of_what_actions_promise() -> None:
    plain, noisy = (by_action(searched(noise)[1]) for noise in (0.0, 0.25))
    assert noisy.sum() == pytest.approx(plain.sum(), rel=1e-4)
    assert (noisy >= 0.75 * plain * (1 - 1e-4)).all()
    added = (noisy - 0.75 * plain) / (0.25 * plain.sum())
    assert added.sum() == pytest.approx(1, abs=1e-3) and added.max() > 2 / len(added)


def test_noise_makes_a_search_look_elsewhere() -> None:
    (plain, first), (noisy, second) = searched(0.0), searched(0.5)
    assert len(noisy.policy) > len(plain.policy)
    for tree in (first, second):
        assert root_children(tree)["visits"].sum() == SIMULATIONS


def test_who_was_visited_comes_first_and_then_the_most_promising() -> None:
    """Selection relies on this order: it stops at the first unvisited child."""
    children = root_children(searched(0.5)[1])
    visited = children["visits"] > 0
    assert 1 < visited.sum() < len(children) and visited[: visited.sum()].all()
    assert (np.diff(children["amaf_visits"][~visited]) <= 0).all()


def test_a_seed_decides_the_noise() -> None:
    assert searched(0.25)[0] == searched(0.25)[0]
    assert not np.array_equal(by_action(searched(0.25, 1)[1]), by_action(searched(0.25, 2)[1]))
