"""Searches of self-play: how a turn is searched and chosen, and what is learned of it.

By visits most turns get a quick search, and some a thorough one, from which alone is learned (playout-cap
randomisation: D. Wu, "Accelerating self-play learning in Go", 2019). Actions are drawn by their visits, the
surer the best the lower the temperature. Noise at the root, if there is any, makes a search look at actions
that it thinks little of (D. Silver and others, "A general reinforcement learning algorithm that masters
chess, shogi, and Go through self-play", 2018). `kakomi.learn.halving` has another way.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from kakomi.core.returns import return_of
from kakomi.search.report import Line, RootReport
from kakomi.search.tree import ROOT, Tree

LEAST_VISITS = 2
"""An action with fewer is noise, and is left out of what is learned."""
NOISY_ACTIONS = 10.0
"""About so many actions share most of the noise, wherever more are legal: the sum of its distribution's
parameters."""

Simulate = Callable[[int], Iterator[None]]
"""Makes so many simulations, fewer if the result is proven before; pauses where one waits for an answer."""


@dataclass(frozen=True)
class Choice:
    """What a turn came to."""

    action: int
    policy: Mapping[int, int] = field(default_factory=dict)
    """Action -> how much it counts in what is learned; nothing where that is not worth learning."""


class RootSearch(Protocol):
    """Searches and chooses in the tree of one game, turn after turn."""

    def choose(
        self, simulate: Simulate, temperature: float, rng: np.random.Generator
    ) -> Generator[None, None, Choice]:
        """Search and choose; pauses where `simulate` does. A higher temperature, from 0 to 1, leaves more to
        chance."""

    def follow(self, action: int) -> None:
        """Go on to what an action leads to, whoever chose it."""


@dataclass(frozen=True)
class VisitSearch:
    """Chooses by visits. The tree is used on from one turn to the next."""

    tree: Tree
    players: int
    quick: int
    """Simulations of most turns,"""
    thorough: int
    """and of some,"""
    thorough_share: float
    """which are so many."""
    noise: float = 0.0
    """The share of noise, 0 to 1, in what the shares of visits at the root begin with."""

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
        """Noise in the shares of the root's children, if it has grown."""
        children = self.tree.children(ROOT)
        if children:
            shares = self.tree.nodes["sightings"][children.start : children.stop]
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
    """The visits to learn from: a proven win alone, else of what neither loses nor was hardly looked at;
    nothing where all lose."""
    if lines[0].loses:
        return {}
    if lines[0].wins:
        return {lines[0].action: lines[0].visits or 1}
    kept = {line.action: line.visits for line in lines if line.visits >= LEAST_VISITS and not line.loses}
    return kept or {lines[0].action: max(1, lines[0].visits)}
