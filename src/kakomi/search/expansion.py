"""How the shared tree grows: one thread gives a leaf its children, the others go on."""

import math

from kakomi.kernel import below
from kakomi.kernel.atomic import add, claim, publish
from kakomi.kernel.contract import candidates, expect_nothing, legal, prior
from kakomi.search.patterns import promise, read_patterns
from kakomi.search.tree import NO_CHILDREN, NOBODY

GROWING = -1
"""`first_child` of a node while a thread is making its children."""


def grow(board, tree, space, node, config, patterns):
    """Give a node its children; False if another thread is at it or memory is full.

    They lie in random order; for PUCT the largest share comes first. `tree` is a `TreeArrays`, `space` a
    `Workspace` whose state is the node's. `patterns`, if not None, say in place of the game's prior what
    actions promise.
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
        promise(board, state, scratch, count, patterns, config.prior_scale, space.priors)
        _keep_within(space.priors, count, config)
    else:
        _expect(board, state, scratch, count, space.priors, config)
    _give(tree, space, node, first, count, config)
    return True


def grow_by_advice(board, tree, space, node, config, answer, entries, weights):
    """As `grow`, with what a network promises of the actions in place of the game's prior.

    An action's logit is made of those numbers of the `answer` that `entries` and `weights` say, as in
    `kakomi.search.advice`. By PUCT its share is the softmax of the logits.
    """
    scratch = space.scratches[0]
    if not claim(tree.first_children, node, NO_CHILDREN, GROWING):
        return False
    count = _list(board, space.states[0], scratch, config)
    first = _reserve(tree, node, count)
    if first == NO_CHILDREN:
        return False
    _promise(scratch.actions, count, answer, entries, weights, space.priors, config)
    _give(tree, space, node, first, count, config)
    return True


def _reserve(tree, node, count):
    """The first of so many new nodes; `NO_CHILDREN`, with the claim given up, where memory is full."""
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


def _give(tree, space, node, first, count, config):
    """Begin the children of a node by their priors, and publish them."""
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


def _promise(actions, count, answer, entries, weights, priors, config):
    """Write what a network promises of actions: 0.5, and more the further a logit is above their mean."""
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
    """By RAVE a promise is a share of the win, from 0 to 1."""
    if config.puct == 0:
        for i in range(count):
            priors[i] = min(1.0, max(0.0, priors[i]))


def _list(board, state, scratch, config):
    if config.use_candidates > 0:
        return candidates(board, state, scratch)
    return legal(board, state, scratch)


def _expect(board, state, scratch, count, priors, config):
    if config.use_prior > 0:
        prior(board, state, scratch, count, priors)
    else:
        expect_nothing(board, state, scratch, count, priors)


def _share_out(priors, count, scale):
    """Make shares that add up to 1 of what actions promise (softmax)."""
    most = -math.inf
    for i in range(count):
        most = max(most, priors[i])
    whole = 0.0
    for i in range(count):
        priors[i] = math.exp((priors[i] - most) / scale)
        whole += priors[i]
    for i in range(count):
        priors[i] /= whole


def _shuffle(actions, priors, count, rng):
    """R. Fisher and F. Yates, 1938."""
    for i in range(count):
        j = below(rng, i + 1)
        actions[i], actions[j] = actions[j], actions[i]
        priors[i], priors[j] = priors[j], priors[i]


def _sort(actions, priors, count):
    """Sort the most promising children first."""
    for i in range(1, count):
        action, promise = actions[i], priors[i]
        k = i
        while k > 0 and priors[k - 1] < promise:
            actions[k], priors[k] = actions[k - 1], priors[k - 1]
            k -= 1
        actions[k], priors[k] = action, promise


def _begin(child, player, action, promise, config):
    """Nothing is known of a child but what the game says."""
    child.visits = 0
    child.first_child = NO_CHILDREN
    child.children = 0
    child.tried = 0
    child.player = player
    child.winner = NOBODY
    child.action = action
    child.sightings = promise if config.puct > 0 else config.prior_visits
    child.sighted_gains = config.prior_visits * promise
