"""Advice of a network to a search: a simulation asks where a node is to grow, and goes on with the answer.

A network's answer is one row of numbers: a logit for each kind of action at each spot of the board, a logit
for each kind of action that touches no spot, then for every seat, the viewer's first, a logit of winning and
the lead expected.
"""

import math
from typing import NamedTuple

import numpy as np

from kakomi.search.expansion import grow_by_advice
from kakomi.search.sight import Sight, write_inputs

WAITING, DEPTH, START = range(3)
"""The places of `Advice.pause`."""


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


def ask(board, state, scratch, tree, advice, depth, start, mix):
    """Have the node at this depth, of this state, wait for an answer; False if there is no use for one."""
    if tree.used[1] != 0 and mix == 0:
        return False
    write_inputs(board, state, scratch, advice.sight, advice.planes, advice.scalars)
    advice.pause[WAITING] = 1
    advice.pause[DEPTH] = depth
    advice.pause[START] = start
    return True


def take(board, state, tree, space, node, advice, config):
    """Take the answer for a node: write the gains, and give it its children; False where memory is full."""
    advice.pause[WAITING] = 0
    _expect_gains(board, state, advice, config)
    return grow_by_advice(board, tree, space, node, config, advice.answer, advice.entries, advice.weights)


def blend(gains, expected, share):
    """Put what is expected in the place of this share of the gains."""
    for player in range(len(expected)):
        gains[player] += share * (expected[player] - gains[player])


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
