"""Expansion of the shared tree: one thread adds a leaf's children while the others continue."""

import math

from kakomi.kernel import below
from kakomi.kernel.atomic import add, claim, publish
from kakomi.kernel.contract import candidates, legal, prior, uniform_prior
from kakomi.kernel.elementary import exp
from kakomi.search.patterns import read_patterns, write_priors
from kakomi.search.tree import NO_CHILDREN, NOBODY

GROWING = -1
"""`first_child` of a node while a thread is adding its children."""


def grow(board, tree, space, node, config, patterns):
    """Add a node's children. Return False if another thread is doing so or memory is full.

    They are in random order; for PUCT they are sorted by share, largest first. `tree` is a `TreeArrays`,
    `space` a `Workspace` whose state is the node's. `patterns`, if not None, replace the game's prior.
    """
    state, scratch = space.states[0], space.scratches[0]
    if not claim(tree.first_children, node, NO_CHILDREN, GROWING):
        return False
    count = _list(board, state, scratch, config)
    first = _reserve(tree, node, count)
    if first == NO_CHILDREN:
        return False
    if patterns is not None:
        read_patterns(board, state, patterns)
        write_priors(board, state, scratch, count, patterns, config.prior_scale, space.priors)
        _keep_within(space.priors, count, config)
    else:
        _write_game_priors(board, state, scratch, count, space.priors, config)
    _publish_children(tree, space, node, first, count, config)
    return True


def grow_by_advice(board, tree, space, node, config, answer, entries, weights):
    """Add a node's children as `grow` does, with a network's logits in place of the game's prior.

    An action's logit is the weighted sum of `answer` given by `entries` and `weights` (`Advice`). With PUCT
    the shares are the softmax of the logits.
    """
    scratch = space.scratches[0]
    if not claim(tree.first_children, node, NO_CHILDREN, GROWING):
        return False
    count = _list(board, space.states[0], scratch, config)
    first = _reserve(tree, node, count)
    if first == NO_CHILDREN:
        return False
    _write_network_priors(scratch.actions, count, answer, entries, weights, space.priors, config)
    _publish_children(tree, space, node, first, count, config)
    return True


def _reserve(tree, node, count):
    """Reserve nodes and return the first; if memory is full, release the claim, return `NO_CHILDREN`."""
    used, nodes, first_children = tree.used, tree.nodes, tree.first_children
    if used[0] + count > len(nodes):
        used[1] = 1
        publish(first_children, node, NO_CHILDREN)
        return NO_CHILDREN
    first = add(used, 0, count)
    if first + count > len(nodes):
        add(used, 0, -count)
        used[1] = 1
        publish(first_children, node, NO_CHILDREN)
        return NO_CHILDREN
    return first


def _publish_children(tree, space, node, first, count, config):
    """Initialise a node's children from their priors and publish them."""
    nodes, first_children = tree.nodes, tree.first_children
    state, actions, priors = space.states[0], space.scratches[0].actions, space.priors
    _shuffle(actions, priors, count, space.rng)
    if config.puct > 0:
        _share_out(priors, count, config.prior_scale)
        _sort(actions, priors, count)
    for i in range(count):
        _begin(nodes[first + i], state.to_move, actions[i], priors[i], config)
    nodes[node].children = count
    publish(first_children, node, first)


def _write_network_priors(actions, count, answer, entries, weights, priors, config):
    """Write a network's priors of the actions: 0.5 plus the scaled difference of the logit from the mean."""
    mean = 0.0
    for i in range(count):
        action = actions[i]
        priors[i] = 0.0
        for k in range(entries.shape[1]):
            priors[i] += float(answer[entries[action, k]]) * float(weights[action, k])
        mean += priors[i] / count
    for i in range(count):
        priors[i] = 0.5 + config.prior_scale * (priors[i] - mean)
    _keep_within(priors, count, config)


def _keep_within(priors, count, config):
    """Clip priors to 0 to 1 for RAVE, which reads them as shares of the win."""
    if config.puct == 0:
        for i in range(count):
            priors[i] = min(1.0, max(0.0, priors[i]))


def _list(board, state, scratch, config):
    if config.use_candidates > 0:
        return candidates(board, state, scratch)
    return legal(board, state, scratch)


def _write_game_priors(board, state, scratch, count, priors, config):
    if config.use_prior > 0:
        prior(board, state, scratch, count, priors)
    else:
        uniform_prior(board, state, scratch, count, priors)


def _share_out(priors, count, scale):
    """Turn priors into shares that sum to 1, in place (softmax)."""
    most = -math.inf
    for i in range(count):
        most = max(most, priors[i])
    whole = 0.0
    for i in range(count):
        priors[i] = exp((priors[i] - most) / scale)
        whole += priors[i]
    for i in range(count):
        priors[i] /= whole


def _shuffle(actions, priors, count, rng):
    """Shuffle actions with their priors (R. Fisher and F. Yates, 1938)."""
    for i in range(count):
        j = below(rng, i + 1)
        actions[i], actions[j] = actions[j], actions[i]
        priors[i], priors[j] = priors[j], priors[i]


def _sort(actions, priors, count):
    """Sort actions by prior, highest first."""
    for i in range(1, count):
        action, action_prior = actions[i], priors[i]
        k = i
        while k > 0 and priors[k - 1] < action_prior:
            actions[k], priors[k] = actions[k - 1], priors[k - 1]
            k -= 1
        actions[k], priors[k] = action, action_prior


def _begin(child, player, action, action_prior, config):
    """Initialise a child that has only its prior."""
    child.visits = 0
    child.first_child = NO_CHILDREN
    child.children = 0
    child.tried = 0
    child.player = player
    child.winner = NOBODY
    child.action = action
    child.amaf_visits = action_prior if config.puct > 0 else config.prior_visits
    child.amaf_gains = config.prior_visits * action_prior
