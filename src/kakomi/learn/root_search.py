"""Root searches of self-play: how actions are searched and chosen, and the policy targets.

By visits: most actions get a quick search and some a thorough one, which alone gives training targets
(playout-cap randomisation: D. Wu, "Accelerating self-play learning in Go", 2019). Actions are drawn by their
visits; a lower temperature favours the most visited. Optional noise at the root makes a search explore
unpromising actions (D. Silver and others, "A general reinforcement learning algorithm that masters chess,
shogi, and Go through self-play", 2018).

By sequential halving: every action gives training targets, with few simulations. The actions to consider are
drawn by the advisor's probabilities. All get equally many simulations, then the better half, and so on. The
policy target is the advisor's policy shifted by the simulations' results (I. Danihelka, A. Guez,
J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel", 2022).
"""

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from kakomi.core.returns import return_of
from kakomi.search.report import Line, RootReport
from kakomi.search.tree import NO_FOCUS, ROOT, Tree, losing

LEAST_VISITS = 2
"""Actions with fewer visits count as noise, and are left out of training targets."""
NOISY_ACTIONS = 10.0
"""The sum of the noise distribution's parameters: about this many actions share most of the noise."""

Simulate = Callable[[int], Iterator[None]]
"""Makes a number of simulations, fewer if the result is proven; yields when one waits for an answer."""


@dataclass(frozen=True)
class Choice:
    """A chosen action, and what to learn from its search."""

    action: int
    policy: Mapping[int, int] = field(default_factory=dict)
    """Action → weight in the training target; empty if there is nothing to learn."""


class RootSearch(Protocol):
    """Searches and chooses actions in the tree of one game, one after another."""

    def choose(
        self, simulate: Simulate, temperature: float, rng: np.random.Generator
    ) -> Generator[None, None, Choice]:
        """Search and choose an action; yields when `simulate` does. The temperature, from 0 to 1, says how
        much to leave to chance."""

    def follow(self, action: int) -> None:
        """Advance to the position after an action, whoever chose it."""


@dataclass(frozen=True)
class VisitSearch:
    """Chooses by visits, keeping the tree from one action to the next."""

    tree: Tree
    players: int
    quick: int
    """Simulations in a quick search."""
    thorough: int
    """Simulations in a thorough search."""
    thorough_share: float
    """The share of thorough searches, 0 to 1."""
    noise: float = 0.0
    """The share of noise, 0 to 1, in the prior probabilities at the root."""

    def choose(
        self, simulate: Simulate, temperature: float, rng: np.random.Generator
    ) -> Generator[None, None, Choice]:
        """As `RootSearch.choose`."""
        is_thorough = rng.random() < self.thorough_share
        wanted = self.thorough if is_thorough else self.quick
        if self.noise:
            yield from simulate(1)
            self._add_noise(rng)
            wanted -= 1
        yield from simulate(wanted)
        lines = lines_of(self.tree, self.players)
        return Choice(self._drawn(lines, temperature, rng), targets_of(lines) if is_thorough else {})

    def follow(self, action: int) -> None:
        """As `RootSearch.follow`."""
        self.tree.descend([action])

    def _add_noise(self, rng: np.random.Generator) -> None:
        """Mix noise into the priors of the root's children, if it has any."""
        children = self.tree.children(ROOT)
        if children:
            shares = self.tree.nodes["amaf_visits"][children.start : children.stop]
            noise = rng.dirichlet(np.full(len(children), NOISY_ACTIONS / len(children)))
            self.tree.share_root((1 - self.noise) * shares + self.noise * shares.sum() * noise)

    def _drawn(self, lines: Sequence[Line], temperature: float, rng: np.random.Generator) -> int:
        if lines[0].wins or self.tree.is_proven:
            return lines[0].action
        shares = np.array([line.visits for line in lines], float) ** (1 / temperature)
        return lines[int(rng.choice(len(lines), p=shares / shares.sum()))].action


def lines_of(tree: Tree, players: int) -> tuple[Line, ...]:
    """The actions at the root of a tree, best first."""
    return RootReport(tree, players, lambda mean: return_of(mean, players)).lines(followed=0)


def targets_of(lines: Sequence[Line]) -> dict[int, int]:
    """The visits to learn from: only a proven win, if there is one, otherwise actions that don't lose and
    have enough visits; empty if all lose."""
    if lines[0].loses:
        return {}
    if lines[0].wins:
        return {lines[0].action: lines[0].visits or 1}
    kept = {line.action: line.visits for line in lines if line.visits >= LEAST_VISITS and not line.loses}
    return kept or {lines[0].action: max(1, lines[0].visits)}


CONSIDERED = 16
"""The number of actions to begin with, if there are that many."""
GAIN_SCALE = 0.5
"""How far a gain shifts a logit: this times the sum of `VISITS_BEFORE` and the most visits."""
VISITS_BEFORE = 50
WHOLE = 1000
"""The approximate sum of a policy's weights."""
MOST_KEPT = 24
"""The most actions to keep in a policy, those with the largest weights."""
_LEAST_SHARE = 1e-9
_OUT = -math.inf
"""The score of an action that loses."""


@dataclass(frozen=True)
class HalvingSearch:
    """Chooses by sequential halving of `simulations`, in a PUCT tree that is cleared for each action."""

    tree: Tree
    players: int
    simulations: int

    def choose(
        self, simulate: Simulate, temperature: float, rng: np.random.Generator
    ) -> Generator[None, None, Choice]:
        """As `RootSearch.choose`. The first simulation, which expands the root, is unconstrained."""
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
        """Do nothing: the tree is cleared for the next action."""

    def _share(self, simulate: Simulate, children: np.ndarray) -> Iterator[None]:
        """Make a simulation through each of the given children, until the result is proven."""
        for child in children:
            self.tree.focus(int(child))
            yield from simulate(1)
            if self.tree.is_proven:
                break
        self.tree.focus(NO_FOCUS)


class _Root:
    """The children of a tree's expanded root, and their scores."""

    def __init__(self, tree: Tree, temperature: float, rng: np.random.Generator) -> None:
        children = tree.children(ROOT)
        self._first = children.start
        self._nodes = tree.nodes[children.start : children.stop]
        self._player = int(self._nodes["player"][0])
        self._sums = tree.sums[children.start : children.stop, self._player]
        self._logits = np.log(np.maximum(self._nodes["amaf_visits"], _LEAST_SHARE))
        self._noise = rng.gumbel(size=len(self._nodes))
        self._temperature = temperature

    def candidates(self) -> np.ndarray:
        """The nodes to begin with, drawn by their priors."""
        order = np.argsort(-(self._logits + self._noise), kind="stable")
        drawn: np.ndarray = self._first + order[:CONSIDERED]
        return drawn

    def best_of(self, candidates: np.ndarray, most: int) -> np.ndarray:
        """The `most` best of the given nodes, best first."""
        scores = (self._scores() + self._temperature * self._noise)[candidates - self._first]
        best: np.ndarray = candidates[np.argsort(-scores, kind="stable")[:most]]
        return best

    def action(self, candidates: np.ndarray) -> int:
        """The action of the best of the given nodes."""
        return int(self._nodes["action"][self.best_of(candidates, 1)[0] - self._first])

    def policy(self) -> dict[int, int]:
        """The policy target: action → weight."""
        scores = self._scores()
        weights = np.exp(scores - scores.max())
        counts = np.rint(WHOLE * weights / weights.sum()).astype(int)
        actions = self._nodes["action"]
        kept = np.argsort(-counts, kind="stable")[:MOST_KEPT]
        return {int(actions[place]): int(counts[place]) for place in kept if counts[place]}

    def _scores(self) -> np.ndarray:
        """Logits shifted by gains. Unvisited actions get the mean gain of the others, weighted by priors."""
        visits = self._nodes["visits"]
        seen = visits > 0
        gains = self._sums / np.maximum(visits, 1)
        shares = np.exp(self._logits) * seen
        mean = (shares * gains).sum() / max(shares.sum(), _LEAST_SHARE)
        scale = GAIN_SCALE * (VISITS_BEFORE + visits.max())
        loses = losing(self._nodes["winner"], self._player)
        scores: np.ndarray = np.where(loses, _OUT, self._logits + scale * np.where(seen, gains, mean))
        return scores
