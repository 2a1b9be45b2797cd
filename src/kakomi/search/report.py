"""What a search found: the lines of play at the root of its tree, best first."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kakomi.search.tree import DRAWN, NOBODY, ROOT, Tree
from kakomi.search.value_backup import as_return


def chance_of(value: float, players: int) -> float:
    """A mean return as the share of the win that it stands for, from 0 to 1 (RULES, "Returns").

    A player with the share s of a win, 1/k if k share it, gets the return (n s - 1)/(n - 1); for two
    players this is (1 + v)/2.
    """
    return (value * (players - 1) + 1) / players


@dataclass(frozen=True)
class Line:
    """One action at the root: how often it was tried and what it promises the player to act."""

    action: int
    visits: int
    value: float
    """Mean return, from -1 to 1."""
    values: tuple[float, ...] = ()
    """Mean return of each player."""
    wins: bool = False
    """Whether it is proven to win the game."""
    loses: bool = False
    """Whether it is proven to lose the game."""
    principal: tuple[int, ...] = ()
    """The action and the best ones after it; of the best lines alone, else just the action."""


@dataclass(frozen=True)
class Report:
    """The result of a search so far."""

    action: int
    """One that is known to win, else the one tried most often, between equals with the higher value."""
    simulations: int
    """Simulations made by this call."""
    plies: int
    """Plies played by this call, in the tree and in playouts."""
    seconds: float
    values: tuple[float, ...]
    """Mean return of each player at the root, over all simulations in the tree."""
    lines: tuple[Line, ...]
    """The actions that were tried or are known to win, best first."""
    principal: tuple[int, ...]
    """The line of best actions from here on."""
    is_full: bool
    """Whether the memory limit kept the tree from growing."""
    is_proven: bool = False
    """Whether the result under best play is known; `values` are then those of the result."""

    def part_of(self, simulations: int | None, seconds: float | None) -> float:
        """How much of such limits is used up, from 0 to 1."""
        parts = (
            self.simulations / simulations if simulations else 0.0,
            self.seconds / seconds if seconds else 0.0,
        )
        return min(1.0, max(parts))


FOLLOWED = 10
"""So many of the best lines are told beyond their first action."""


class RootReport:
    """What the nodes of a tree say about a game for so many players.

    `as_value` makes a return of a node's mean gain.
    """

    def __init__(self, tree: Tree, players: int, as_value: Callable[[float], float]) -> None:
        self._tree = tree
        self._players = players
        self._as_value = as_value

    def lines(self) -> tuple[Line, ...]:
        """The root's children that were visited or are known to win, best first."""
        ranked = self._ranked(ROOT)
        return tuple(self._line(int(node), place < FOLLOWED) for place, node in enumerate(ranked))

    def values(self, node: int) -> tuple[float, ...]:
        """Each player's mean return through a node that was visited or is proven."""
        winner = int(self._tree.nodes["winner"][node])
        players = range(self._players)
        if winner in players:
            return tuple(as_return(float(player == winner), self._players) for player in players)
        if winner == DRAWN:
            return (0.0,) * self._players
        visits = int(self._tree.nodes["visits"][node])
        return tuple(self._as_value(float(total) / visits) for total in self._tree.sums[node])

    def _line(self, node: int, is_followed: bool) -> Line:
        child = self._tree.nodes[node]
        player, winner = int(child["player"]), int(child["winner"])
        values = self.values(node)
        return Line(
            action=int(child["action"]),
            visits=int(child["visits"]),
            value=values[player],
            values=values,
            wins=winner == player,
            loses=winner not in (NOBODY, DRAWN, player),
            principal=self._principal(node) if is_followed else (int(child["action"]),),
        )

    def _principal(self, node: int) -> tuple[int, ...]:
        """The action that leads to a node, and the best ones from there on."""
        actions = [int(self._tree.nodes["action"][node])]
        while (ranked := self._ranked(node)).size:
            node = int(ranked[0])
            actions.append(int(self._tree.nodes["action"][node]))
        return tuple(actions)

    def _ranked(self, node: int) -> np.ndarray:
        """The children of a node that were visited or are known to win, best first: those that win, then
        those that don't lose, by visits, by value, by the action's number."""
        children = self._tree.children(node)
        if not children:
            return np.zeros(0, np.int64)
        nodes = self._tree.nodes[children.start : children.stop]
        player, winner, visits = int(nodes["player"][0]), nodes["winner"], nodes["visits"]
        wins = winner == player
        loses = ~wins & (winner != NOBODY) & (winner != DRAWN)
        values = self._tree.sums[children.start : children.stop, player] / np.maximum(visits, 1)
        order = np.lexsort((nodes["action"], -values, -visits, loses, ~wins))
        seen = (visits > 0) | wins
        ranked: np.ndarray = children.start + order[seen[order]]
        return ranked
