"""UCT: Monte-Carlo tree search with upper confidence bounds (L. Kocsis and C. Szepesvari, 2006).

One tree serves any number of players and any order of turns: a node stores the player who chose the action
that leads to it, and selection uses that player's mean return. A node is expanded on its second visit; every
child is visited once before any is visited twice.

A turn that wins the game at once is marked as won (as in MCTS-Solver: M. Winands, Y. Bjornsson and
J. Saito, 2008, but only up through the winner's own choices), so that no mean can hide it.
"""

import math

from kakomi.core.returns import share_returns
from kakomi.kernel import below, driver
from kakomi.kernel.contract import legal, over, play, sample, scores
from kakomi.kernel.elementary import log
from kakomi.search.tree import NO_CHILDREN, NOBODY, ROOT


@driver
def simulate(boards, roots, tree, space, exploration, n, most_plies):
    """Run n simulations from `roots[0]`. Return the total number of plies, in the tree and in playouts.

    `boards` and `roots`, each [1], are records of the game's board and state; `tree` is a `TreeArrays`,
    `space` a `Workspace`. A playout is cut off after `most_plies` actions (0: never).
    """
    board, state, scratch = boards[0], space.states[0], space.scratches[0]
    nodes, path, gains = tree.nodes, space.path, space.gains
    plies = 0
    for _ in range(n):
        space.states[0] = roots[0]
        depth = _descend(board, tree, space, exploration)
        plies += depth
        winner = nodes[path[depth]].winner
        if winner != NOBODY:
            _give_all(gains, board.players, winner)
        else:
            played = _finish(board, state, scratch, space.rng, most_plies)
            plies += played
            scores(board, state, gains)
            share_returns(gains, board.players, gains)
            if played == 0 and over(board, state):
                _remember_win(nodes, path, depth, gains, board.players)
        _back_up(nodes, tree.sums, path, depth, gains, board.players)
    return plies


def _descend(board, tree, space, exploration):
    """Play down the tree to a leaf or a won node, and write the path there. Return its depth."""
    state, scratch, nodes, path = space.states[0], space.scratches[0], tree.nodes, space.path
    node = ROOT
    depth = 0
    path[0] = ROOT
    while depth + 1 < len(path) and not over(board, state):
        if depth > 0 and nodes[node].winner != NOBODY:
            break
        if nodes[node].first_child == NO_CHILDREN:
            if nodes[node].visits == 0 and depth > 0:
                break
            if not _expand(board, state, scratch, space.rng, tree, node):
                break
        node = _select(nodes, tree.sums, node, exploration)
        play(board, state, scratch, nodes[node].action)
        depth += 1
        path[depth] = node
    return depth


def _expand(board, state, scratch, rng, tree, node):
    """Add a node's children, in random order. Return False if memory is full."""
    count = legal(board, state, scratch)
    nodes, used = tree.nodes, tree.used
    first = used[0]
    if first + count > len(nodes):
        used[1] = 1
        return False
    for i in range(count):
        j = below(rng, i + 1)  # the shuffle of Fisher and Yates, from the inside out
        child = nodes[first + i]
        child.visits = 0
        child.first_child = NO_CHILDREN
        child.children = 0
        child.tried = 0
        child.player = state.to_move
        child.winner = NOBODY
        child.action = nodes[first + j].action
        nodes[first + j].action = scratch.actions[i]
    nodes[node].first_child = first
    nodes[node].children = count
    used[0] = first + count
    return True


def _select(nodes, sums, parent, exploration):
    """Return the next untried child, else the one with the highest upper confidence bound (UCB1)."""
    first = nodes[parent].first_child
    tried = nodes[parent].tried
    if tried < nodes[parent].children:
        nodes[parent].tried = tried + 1
        return first + tried
    player = nodes[first].player
    log_visits = log(nodes[parent].visits)
    best, best_bound = first, -math.inf
    for child in range(first, first + nodes[parent].children):
        visits = nodes[child].visits
        bound = sums[child, player] / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


def _give_all(gains, players, winner):
    for player in range(players):
        gains[player] = 1.0 if player == winner else -1 / (players - 1)


def _remember_win(nodes, path, depth, gains, players):
    """Mark the sole winner of a finished leaf, there and at its ancestors while that player chose."""
    for winner in range(players):
        if gains[winner] == 1:
            while depth > 0:
                nodes[path[depth]].winner = winner
                if nodes[path[depth]].player != winner:
                    return
                depth -= 1


def _finish(board, state, scratch, rng, most_plies):
    """Play at random to the end. Return the number of plies."""
    plies = 0
    while not over(board, state) and (most_plies == 0 or plies < most_plies):
        play(board, state, scratch, sample(board, state, scratch, rng))
        plies += 1
    return plies


def _back_up(nodes, sums, path, depth, gains, players):
    for i in range(depth + 1):
        nodes[path[i]].visits += 1
        for player in range(players):
            sums[path[i], player] += gains[player]
