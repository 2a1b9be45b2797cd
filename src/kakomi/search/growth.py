"""How the shared tree grows: one thread gives a leaf its children, the others go on."""

from kakomi.kernel import below
from kakomi.kernel.atomic import add, claim, publish
from kakomi.kernel.contract import candidates, expect_nothing, legal, prior
from kakomi.search.tree import NO_CHILDREN, NOBODY

GROWING = -1
"""`first_child` of a node while a thread is making its children."""


def grow(board, state, scratch, rng, used, nodes, first_children, node, priors, tuning):
    """Give a node its children, in random order; False if another thread is at it or memory is full.

    `used` holds how many nodes there are, and in its second element whether one found no room.
    """
    if not claim(first_children, node, NO_CHILDREN, GROWING):
        return False
    count = _list(board, state, scratch, tuning)
    if used[0] + count > len(nodes):
        used[1] = 1
        publish(first_children, node, NO_CHILDREN)
        return False
    first = add(used, 0, count)
    if first + count > len(nodes):
        add(used, 0, -count)
        used[1] = 1
        publish(first_children, node, NO_CHILDREN)
        return False
    _expect(board, state, scratch, count, priors, tuning)
    for i in range(count):
        _add_child(nodes, first, i, below(rng, i + 1), state.to_move, scratch.actions[i], priors[i], tuning)
    nodes[node].children = count
    publish(first_children, node, first)
    return True


def _list(board, state, scratch, tuning):
    if tuning.use_candidates > 0:
        return candidates(board, state, scratch)
    return legal(board, state, scratch)


def _expect(board, state, scratch, count, priors, tuning):
    if tuning.use_prior > 0:
        prior(board, state, scratch, count, priors)
    else:
        expect_nothing(board, state, scratch, count, priors)


def _add_child(nodes, first, i, j, player, action, promise, tuning):
    """The child i in the place of a child j, which moves (the shuffle of Fisher and Yates)."""
    nodes[first + i] = nodes[first + j]
    child = nodes[first + j]
    child.visits = 0
    child.first_child = NO_CHILDREN
    child.children = 0
    child.tried = 0
    child.player = player
    child.winner = NOBODY
    child.action = action
    child.sightings = tuning.prior_visits
    child.sighted_gains = tuning.prior_visits * promise
