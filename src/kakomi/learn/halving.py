"""Sequential halving: searches of self-play by few simulations, from each of which is learned.

Chance chooses some actions to consider, the likelier the more the advisor thinks of them, and simulations are
shared among them by sequential halving: all get as many, then the better half, and so on. The policy to learn
is the advisor's own, moved by what the simulations gave (I. Danihelka, A. Guez, J. Schrittwieser and
D. Silver, "Policy improvement by planning with Gumbel", 2022).
"""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from kakomi.learn.root_search import Choice, Simulate, lines_of, targets_of
from kakomi.search.tree import NO_FOCUS, ROOT, Tree, losing

CONSIDERED = 16
"""Actions at first, where there are as many."""
GAIN_SCALE = 0.5
"""How far a gain moves a logit: by this, times the visits of the action that has most and `VISITS_BEFORE`."""
VISITS_BEFORE = 50
WHOLE = 1000
"""What the weights of a policy add up to, at most and about."""
MOST_KEPT = 24
"""Actions of a policy that are learned, those with the largest weights."""
_LEAST_SHARE = 1e-9
_OUT = -math.inf
"""The score of an action that loses."""


@dataclass(frozen=True)
class HalvingSearch:
    """Chooses by so many simulations, in a tree that is begun anew for each turn and goes by PUCT."""

    tree: Tree
    players: int
    simulations: int

    def choose(
        self, simulate: Simulate, temperature: float, rng: np.random.Generator
    ) -> Generator[None, None, Choice]:
        """As `RootSearch.choose`. The first simulation, which grows the root, goes where the search likes."""
        tree = self.tree
        tree.clear()
        yield from simulate(1)
        root = _Root(tree, temperature, rng)
        candidates = root.candidates()
        left = self.simulations - 1
        rounds = max(1, math.ceil(math.log2(len(candidates))))
        while left > 0 and len(candidates) > 1 and not tree.is_proven:
            each = max(1, self.simulations // (rounds * len(candidates)))
            shared = np.tile(candidates, each)[:left]
            yield from self._share(simulate, shared)
            left -= len(shared)
            candidates = root.best_of(candidates, max(2, -(-len(candidates) // 2)))
        if tree.is_proven:
            lines = lines_of(tree, self.players)
            return Choice(lines[0].action, targets_of(lines))
        return Choice(root.action(candidates), root.policy())

    def follow(self, action: int) -> None:
        """Nothing: the next turn begins its tree anew."""

    def _share(self, simulate: Simulate, children: np.ndarray) -> Iterator[None]:
        """A simulation through each of these, until the result is proven."""
        for child in children:
            self.tree.focus(int(child))
            yield from simulate(1)
            if self.tree.is_proven:
                break
        self.tree.focus(NO_FOCUS)


class _Root:
    """The children of a tree's root, which has grown, and what is thought of them."""

    def __init__(self, tree: Tree, temperature: float, rng: np.random.Generator) -> None:
        children = tree.children(ROOT)
        self._first = children.start
        self._nodes = tree.nodes[children.start : children.stop]
        self._player = int(self._nodes["player"][0])
        self._sums = tree.sums[children.start : children.stop, self._player]
        self._logits = np.log(np.maximum(self._nodes["sightings"], _LEAST_SHARE))
        self._noise = rng.gumbel(size=len(self._nodes))
        self._temperature = temperature

    def candidates(self) -> np.ndarray:
        """The nodes to begin with, drawn by their shares."""
        order = np.argsort(-(self._logits + self._noise), kind="stable")
        drawn: np.ndarray = self._first + order[:CONSIDERED]
        return drawn

    def best_of(self, candidates: np.ndarray, most: int) -> np.ndarray:
        """So many of these nodes, best first."""
        scores = (self._scores() + self._temperature * self._noise)[candidates - self._first]
        best: np.ndarray = candidates[np.argsort(-scores, kind="stable")[:most]]
        return best

    def action(self, candidates: np.ndarray) -> int:
        """The best action of these nodes."""
        return int(self._nodes["action"][self.best_of(candidates, 1)[0] - self._first])

    def policy(self) -> dict[int, int]:
        """How much each action counts."""
        scores = self._scores()
        weights = np.exp(scores - scores.max())
        counts = np.rint(WHOLE * weights / weights.sum()).astype(int)
        actions = self._nodes["action"]
        kept = np.argsort(-counts, kind="stable")[:MOST_KEPT]
        return {int(actions[place]): int(counts[place]) for place in kept if counts[place]}

    def _scores(self) -> np.ndarray:
        """Logits, moved by gains. Without visits an action promises what others gave, each by its share."""
        visits = self._nodes["visits"]
        seen = visits > 0
        gains = self._sums / np.maximum(visits, 1)
        shares = np.exp(self._logits) * seen
        mean = (shares * gains).sum() / max(shares.sum(), _LEAST_SHARE)
        scale = GAIN_SCALE * (VISITS_BEFORE + visits.max())
        loses = losing(self._nodes["winner"], self._player)
        scores: np.ndarray = np.where(loses, _OUT, self._logits + scale * np.where(seen, gains, mean))
        return scores
