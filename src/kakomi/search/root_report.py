"""Reading a search tree: the lines of play at its root, best first."""

from collections.abc import Callable

import numpy as np

from kakomi.core.returns import return_of
from kakomi.search.report import Line
from kakomi.search.tree import DRAWN, NOBODY, ROOT, Tree

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

    def returns(self, node: int) -> tuple[float, ...]:
        """Each player's mean return through a node that was visited or is proven."""
        winner = int(self._tree.nodes["winner"][node])
        players = range(self._players)
        if winner in players:
            return tuple(return_of(float(player == winner), self._players) for player in players)
        if winner == DRAWN:
            return (0.0,) * self._players
        visits = int(self._tree.nodes["visits"][node])
        return tuple(self._as_value(float(total) / visits) for total in self._tree.sums[node])

    def _line(self, node: int, is_followed: bool) -> Line:
        child = self._tree.nodes[node]
        player, winner = int(child["player"]), int(child["winner"])
        return Line(
            action=int(child["action"]),
            visits=int(child["visits"]),
            returns=self.returns(node),
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
