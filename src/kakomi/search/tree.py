"""The search tree as flat arrays: siblings are adjacent, and always come after their parent."""

from typing import NamedTuple

import numpy as np

from kakomi.kernel import driver

ROOT = 0
"""The root's node number."""
NO_CHILDREN = 0
"""`first_child` of a node that was never expanded (the root is nobody's child)."""

NODE = np.dtype(
    [
        ("visits", np.int64),  # more than 2**31 after some hours of search
        ("first_child", np.int32),
        ("children", np.uint16),
        ("tried", np.uint16),  # the number of children visited, in order
        ("action", np.int32),
        ("player", np.int16),  # who chose the action that leads here
        ("winner", np.int16),  # the player proven to win from here, or NOBODY, or DRAWN
        # how often the action was seen later in a simulation (AMAF), or with PUCT its share by the prior
        ("amaf_visits", np.float32),
        ("amaf_gains", np.float32),  # the sum of the chooser's gains in those simulations
    ],
    align=True,
)
MOST_CHILDREN = int(np.iinfo(NODE["children"]).max)
NOBODY = -1
"""`winner` of a node without a proof."""
DRAWN = -2
"""`winner` of a node proven to be a draw between two players."""
_DROPPED = -1
_KEPT = 1
TREE = np.dtype([("used", np.int64), ("full", np.int64), ("focus", np.int64)], align=True)
FOCUS = 2
"""The index of `focus` in `TreeArrays.used`."""
NO_FOCUS = 0
"""`focus` of a tree whose simulations choose freely at the root."""


class TreeArrays(NamedTuple):
    """The arrays of a tree for compiled code, shared by threads. N is the tree's capacity."""

    used: np.ndarray
    """int64 [3]: the number of nodes; 1 once a node had no room for its children, else 0; the child of the
    root through which every simulation goes, or `NO_FOCUS`."""
    nodes: np.ndarray
    """NODE [N]: the data of each node. A node's children are adjacent and come after it."""
    visits: np.ndarray
    """int64 [N]: `nodes["visits"]`, as an array that threads can count in."""
    first_children: np.ndarray
    """int32 [N]: `nodes["first_child"]`, as an array whose elements threads can claim."""
    sums: np.ndarray
    """float64 [N, players]: each player's gains, summed over the simulations through a node."""


class Tree:
    """Nodes, and the sum of each player's gains through each node.

    Memory is reserved at once but used only as the tree grows. The root and its children always fit;
    `actions` is the number of actions in the game.
    """

    def __init__(self, players: int, actions: int, memory_mb: float) -> None:
        if actions > MOST_CHILDREN:
            raise ValueError(f"a game with {actions:,} actions can't be searched: {MOST_CHILDREN:,} at most")
        bytes_a_node = NODE.itemsize + 8 * players + 4
        capacity = max(1 + actions, int(memory_mb * 2**20) // bytes_a_node)
        self.nodes = np.zeros(capacity, NODE)
        self.sums = np.zeros((capacity, players))
        self.header = np.zeros(1, TREE)
        columns = self.nodes["visits"], self.nodes["first_child"]
        self.arrays = TreeArrays(self.header.view(np.int64), self.nodes, *columns, self.sums)
        """Views of these arrays for compiled code."""
        self._moved_to = np.zeros(capacity, np.int32)
        self.clear()

    def clear(self) -> None:
        """Reset the tree to an unvisited root."""
        self.nodes[ROOT] = np.zeros((), NODE)
        self.nodes["winner"][ROOT] = NOBODY
        self.sums[: self._count] = 0  # new nodes take over the sums at their index
        self.header[0] = (1, 0, NO_FOCUS)

    @property
    def is_proven(self) -> bool:
        """Whether the result under best play from the root is proven."""
        return bool(self.nodes["winner"][ROOT] != NOBODY)

    @property
    def is_full(self) -> bool:
        """Whether the memory limit has stopped a node from being expanded."""
        return bool(self.header["full"][0])

    @property
    def is_crowded(self) -> bool:
        """Whether more than half of the memory is taken."""
        return 2 * self._count > len(self.nodes)

    @property
    def _count(self) -> int:
        """The number of nodes."""
        return int(self.header["used"][0])

    def children(self, node: int) -> range:
        """Return the node numbers of a node's children."""
        first, count = int(self.nodes[node]["first_child"]), int(self.nodes[node]["children"])
        return range(first, first + count)

    def child(self, node: int, action: int) -> int | None:
        """Return the child that an action leads to; None if there is none or the node isn't expanded."""
        for child in self.children(node):
            if self.nodes[child]["action"] == action:
                return child
        return None

    def focus(self, child: int) -> None:
        """Send every simulation through this child of the root; `NO_FOCUS` restores free choice."""
        self.header["focus"] = child

    def mark_won(self, action: int) -> None:
        """Mark an action at the expanded root as a proven win for its player."""
        child = self.child(ROOT, action)
        if child is not None:
            self.nodes["winner"][[ROOT, child]] = self.nodes["player"][child]

    def share_root(self, shares: np.ndarray) -> None:
        """Set the PUCT shares of the root's children, given in the children's order.

        Visited children stay in front. Both groups are sorted by share, as selection requires.
        """
        children = self.children(ROOT)
        block = slice(children.start, children.stop)
        self.nodes["amaf_visits"][block] = shares
        order = np.lexsort((-shares, self.nodes["visits"][block] == 0))
        self.nodes[block], self.sums[block] = self.nodes[block][order], self.sums[block][order]

    def descend(self, actions: list[int]) -> None:
        """Make the node after these actions the root and free the rest; clear the tree if there is none."""
        node = ROOT
        for action in actions:
            child = self.child(node, action)
            if child is None:
                return self.clear()
            node = child
        if node != ROOT:
            count = self._count
            keep_subtree(self.header, self.nodes, self.sums, self._moved_to, node)
            self.sums[self._count : count] = 0
        return None


def losing(winners: np.ndarray, player: int) -> np.ndarray:
    """Return for each `winner` whether it proves a loss for a player."""
    lost: np.ndarray = (winners != NOBODY) & (winners != DRAWN) & (winners != player)
    return lost


@driver
def keep_subtree(headers, nodes, sums, moved_to, root):
    """Move the subtree of `root` to the front of the arrays, keeping its order.

    `headers` is TREE [1], `nodes` NODE [N], `sums` float64 [N, players]. `moved_to`, int32 [N], is working
    space: each old node's new number, 0 for the root, or `_DROPPED`.
    """
    header = headers[0]
    _mark_subtree(header, nodes, moved_to, root)
    used = 0
    for node in range(root, header.used):
        if moved_to[node] != _DROPPED:
            moved_to[node] = used
            nodes[used] = nodes[node]
            for player in range(sums.shape[1]):
                sums[used, player] = sums[node, player]
            used += 1
    for node in range(used):
        if nodes[node].first_child != NO_CHILDREN:
            nodes[node].first_child = moved_to[nodes[node].first_child]
    header.used = used
    header.full = 0
    header.focus = NO_FOCUS


def _mark_subtree(header, nodes, moved_to, root):
    for node in range(header.used):
        moved_to[node] = _DROPPED
    moved_to[root] = _KEPT
    for node in range(root, header.used):
        if moved_to[node] == _KEPT:
            first = nodes[node].first_child
            for child in range(first, first + nodes[node].children):
                moved_to[child] = _KEPT
