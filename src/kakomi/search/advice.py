"""Simulations that take advice from a network: they stop where a node is to grow, and go on with the answer.

A network's answer is one row of numbers: a logit for each kind of action at each spot of the board, a logit
for each kind of action that touches no spot, then for every seat, the viewer's first, a logit of winning and
the lead expected.
"""

import math
from typing import NamedTuple

import numpy as np

from kakomi.kernel import long_driver
from kakomi.kernel.atomic import add
from kakomi.search.expansion import grow_by_advice
from kakomi.search.mcts import descend, is_at_end, play_out, playout_limit
from kakomi.search.sight import Sight, write_inputs
from kakomi.search.tree import NOBODY, ROOT
from kakomi.search.value_backup import back_up, share_sightings

WAITING, DEPTH, START = range(3)
"""The places of `Advice.pause`."""
IDLE = 0
ALONE = 1.0
"""The share of the network in a value at which there are no playouts."""


class Advice(NamedTuple):
    """What a search and an evaluator share, for one tree. A is the number of actions, K the most numbers of
    the answer that make up an action's logit, and M the length of the answer."""

    pause: np.ndarray
    """int64 [3]: whether (1 or 0) a node waits for advice, its depth, the clock when its simulation began."""
    sight: Sight
    """How a position becomes the network's inputs."""
    planes: np.ndarray
    """float32 [channels, spots]: the inputs over the board."""
    scalars: np.ndarray
    """float32 [scalars]: the inputs about the game as a whole."""
    answer: np.ndarray
    """float32 [M]: the network's answer."""
    entries: np.ndarray
    """int32 [A, K]: which numbers of the answer make up an action's logit,"""
    weights: np.ndarray
    """float32 [A, K]: and how much each counts."""
    value: np.ndarray
    """float32 [seats]: the part of the answer about winning, a view."""
    leads: np.ndarray
    """float32 [seats]: the part of the answer about leads in points, a view."""
    gains: np.ndarray
    """float64 [players]: the gains that the network expects."""


@long_driver(patience=12)
def simulate_advised(boards, roots, tree, space, advice, configs, n, most_plies, mix):
    """Make n simulations, or fewer if one of them waits for advice or the result is proven; how many ended.

    While `advice.pause[WAITING]` is 1 the inputs are those of the position that waits; the next call takes the
    answer. `mix`, 0 to 1, is the share of the network in a simulation's value: with 0 its answer only says
    which actions deserve visits, and simulations go on as without it; else they end where a node has grown.
    The other arguments are those of `kakomi.search.mcts.simulate`. For one thread.
    """
    board, config, pause = boards[0], configs[0], advice.pause
    state, scratch = space.states[0], space.scratches[0]
    _, nodes, visits, _, sums = tree
    states, _, path, clock, last_played, _, rng, gains = space
    cut = playout_limit(most_plies, config)
    made = 0
    while made < n:
        is_answered = pause[WAITING] != IDLE
        goes_on = True
        if is_answered:
            pause[WAITING] = IDLE
            depth, start = pause[DEPTH], pause[START]
            goes_on = _take(board, state, tree, space, path[depth], advice, config) and mix == 0
        elif made > 0 and nodes[ROOT].winner != NOBODY:
            return made
        else:
            states[0] = roots[0]
            start = clock[0]
            depth = 0
            path[0] = ROOT
            add(visits, ROOT, 1)
        if goes_on:
            depth = descend(
                *(board, state, scratch, tree, space, nodes, visits, sums),
                *(path, clock, last_played, depth, config, True),
            )
        if depth < 0:
            depth = ~depth
            if tree.used[1] == 0 or mix > 0:
                write_inputs(board, state, advice.sight, advice.planes, advice.scalars)
                pause[WAITING], pause[DEPTH], pause[START] = 1, depth, start
                return made
        if mix < ALONE or not is_answered or is_at_end(board, state, scratch, config):
            played = play_out(
                *(board, state, scratch, nodes, path, depth, rng, clock, last_played, gains, cut, config)
            )
            if is_answered and played > 0:
                _blend(gains, advice.gains, mix)
        else:
            _blend(gains, advice.gains, ALONE)
        back_up(sums, path, depth, gains, board.players)
        if config.puct == 0 and config.equivalence > 0:
            share_sightings(nodes, path, depth, gains, last_played, start)
        made += 1
    return made


def _take(board, state, tree, space, node, advice, config):
    """Write the gains that the network expects, and give the node that waited its children; whether it has."""
    _expect_gains(board, state, advice, config)
    return grow_by_advice(board, tree, space, node, config, advice.answer, advice.entries, advice.weights)


def _blend(gains, expected, mix):
    """Put a network's gains in the place of this share of the others."""
    for player in range(len(gains)):
        gains[player] += mix * (expected[player] - gains[player])


def _expect_gains(board, state, advice, config):
    """Each player's share of the win, and of the margin as far as the config says."""
    players = int(board.players)
    most = -math.inf
    for seat in range(players):
        most = max(most, float(advice.value[seat]))
    whole = 0.0
    for seat in range(players):
        whole += math.exp(float(advice.value[seat]) - most)
    for seat in range(players):
        share = math.exp(float(advice.value[seat]) - most) / whole
        lead = float(advice.leads[seat])
        margin = 0.5 + 0.5 * lead / (config.margin_scale + abs(lead))
        advice.gains[(int(state.to_move) + seat) % players] = share + config.margin * (margin - share)
