"""Selection of the child that a simulation descends to.

RAVE: an action's value starts from the game's prior and from simulations through the parent in which the
action came later (AMAF). As visits accumulate it approaches the action's own mean, with the schedule that
minimises the mean squared error (S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value
estimation in computer Go", 2011).

PUCT: the prior sets an action's share of the visits until its own mean outweighs it (D. Silver and others,
"Mastering the game of Go without human knowledge", 2017, after C. Rosin, "Multi-armed bandits with episode
context", 2011). An unvisited action gets its parent's mean, or less (first-play urgency: S. Gelly and
Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo Go", 2006). Children are sorted by share, so
only those visited and one more need examining.

Either way a proven win is taken at once, and a proven loss only if all children lose.
"""

import math

from kakomi.kernel.elementary import log
from kakomi.search.tree import DRAWN, NOBODY

_LOST = -1e9
"""The bound of a proven loss; visits are added, so that the one that took longest to refute comes first."""


def select(nodes, visits, sums, parent, config):
    """Return a winning child, else the child with the highest bound, where proven losses come last.

    `nodes`, `visits` and `sums` are those of a `TreeArrays`, `config` is a record of `SearchConfig`.
    """
    first = nodes[parent].first_child
    player = nodes[first].player
    by_share = config.puct > 0
    before = max(1.0, visits[parent] - 1.0)
    unvisited = sums[parent, player] / before - config.fpu_reduction
    if by_share:
        width = config.puct * math.sqrt(before)
    else:
        width = config.exploration * math.sqrt(log(visits[parent] + 1.0))
    inverse_equivalence = 1 / config.equivalence if config.equivalence > 0 else 0.0
    best, best_bound = first, -math.inf
    for child in range(first, first + nodes[parent].children):
        winner = nodes[child].winner
        n = float(visits[child])
        if winner == player:
            return child
        if winner != NOBODY and winner != DRAWN:
            bound = _LOST + n
        elif by_share:
            value = sums[child, player] / n if n > 0 else unvisited
            bound = value + width * nodes[child].amaf_visits / (n + 1)
        else:
            value = _blended(nodes[child], n, sums[child, player], inverse_equivalence)
            bound = value + width / math.sqrt(n + 1)
        if bound > best_bound:
            best, best_bound = child, bound
        if by_share and n == 0:
            break
    return best


def _blended(child, n, gained, inverse_equivalence):
    """Return the RAVE value: the weighted average of the action's AMAF value and its own mean."""
    amaf_visits = child.amaf_visits
    inverse = 1 / (n + amaf_visits + n * amaf_visits * inverse_equivalence)
    value = child.amaf_gains * inverse
    if n > 0:
        value += n * (1 + amaf_visits * inverse_equivalence) * inverse * gained / n
    return value
