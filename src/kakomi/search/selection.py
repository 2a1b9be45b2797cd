"""Selection: the child that a simulation descends to.

RAVE: an action's value begins as the game's prior and what was seen of the action later in the simulations
through its parent (AMAF), and becomes its own mean as visits come in, with the schedule that minimises the
mean squared error (S. Gelly and D. Silver, "Monte-Carlo tree search and rapid action value estimation in
computer Go", 2011).

PUCT: the prior says how large a share of the visits an action deserves until its own mean says more (D.
Silver and others, "Mastering the game of Go without human knowledge", 2017, after C. Rosin, "Multi-armed
bandits with episode context", 2011). An action not yet visited counts for what its parent has given so far,
or for less (first-play urgency: S. Gelly and Y. Wang, "Exploration exploitation in Go: UCT for Monte-Carlo
Go", 2006). Children lie in the order of their shares, so that only those visited and one more need be looked
at.

Either way a child that wins is taken, and one that loses only if all do.
"""

import math

from kakomi.search.tree import DRAWN, NOBODY

_LOST = -1e9
"""The bound of a child that loses; visits are added, so that the one that took longest to refute is best."""


def select(nodes, visits, sums, parent, config):
    """The index of a winning child, else of the child with the highest bound among those that don't lose.

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
        width = config.exploration * math.sqrt(math.log(visits[parent] + 1.0))
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
            bound = value + width * nodes[child].sightings / (n + 1)
        else:
            value = _blended(nodes[child], n, sums[child, player], inverse_equivalence)
            bound = value + width / math.sqrt(n + 1)
        if bound > best_bound:
            best, best_bound = child, bound
        if by_share and n == 0:
            break
    return best


def _blended(child, n, gained, inverse_equivalence):
    """RAVE's value: the AMAF value of an action and its own mean, each by its weight."""
    sightings = child.sightings
    inverse = 1 / (n + sightings + n * sightings * inverse_equivalence)
    value = child.sighted_gains * inverse
    if n > 0:
        value += n * (1 + sightings * inverse_equivalence) * inverse * gained / n
    return value
