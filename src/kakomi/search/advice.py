"""Network evaluation in a search: a simulation pauses at a node without children and resumes with the answer.

A network's answer is one row of numbers: a logit for each kind of action at each spot of the board, a logit
for each kind of action without a spot, then for every seat, starting with the viewer's, a logit of winning
and the expected lead.
"""

import math
from typing import NamedTuple

import numpy as np

from kakomi.kernel.elementary import exp
from kakomi.search.expansion import grow_by_advice
from kakomi.search.input_layout import InputLayout, write_inputs

WAITING, DEPTH, START = range(3)
"""The indices into `Advice.pause`."""


class Advice(NamedTuple):
    """The data that a search and an evaluator share for one tree. A is the number of actions, K the maximum
    number of answer entries that make up an action's logit, and M the length of the answer."""

    pause: np.ndarray
    """int64 [3]: whether (1 or 0) a node waits for advice, its depth, its simulation's clock at the start."""
    input_layout: InputLayout
    """How to turn a position into the network's inputs."""
    planes: np.ndarray
    """float32 [channels, spots]: the inputs over the board."""
    scalars: np.ndarray
    """float32 [scalars]: the inputs about the game as a whole."""
    answer: np.ndarray
    """float32 [M]: the network's answer."""
    entries: np.ndarray
    """int32 [A, K]: the indices of the answer entries that make up each action's logit."""
    weights: np.ndarray
    """float32 [A, K]: their weights."""
    value: np.ndarray
    """float32 [seats]: a view of the answer's logits of winning."""
    leads: np.ndarray
    """float32 [seats]: a view of the answer's expected leads, in points."""
    gains: np.ndarray
    """float64 [players]: the gains that the network expects."""


def request_evaluation(board, state, scratch, tree, advice, depth, start, mix):
    """Write the inputs for the node at this depth and let it wait; False if an answer would be useless."""
    if tree.used[1] != 0 and mix == 0:
        return False
    write_inputs(board, state, scratch, advice.input_layout, advice.planes, advice.scalars)
    advice.pause[WAITING] = 1
    advice.pause[DEPTH] = depth
    advice.pause[START] = start
    return True


def apply_evaluation(board, state, tree, space, node, advice, config):
    """Apply the answer to a node: write the gains and add its children. Return False if memory is full."""
    advice.pause[WAITING] = 0
    _write_expected_gains(board, state, advice, config)
    return grow_by_advice(board, tree, space, node, config, advice.answer, advice.entries, advice.weights)


def blend(gains, expected, share):
    """Replace this share of the gains by the expected gains, in place."""
    for player in range(len(expected)):
        gains[player] += share * (expected[player] - gains[player])


def _write_expected_gains(board, state, advice, config):
    """Write each player's expected gain: its share of the win, mixed with the margin by `config.margin`."""
    players = int(board.players)
    most = -math.inf
    for seat in range(players):
        most = max(most, float(advice.value[seat]))
    whole = 0.0
    for seat in range(players):
        whole += exp(float(advice.value[seat]) - most)
    for seat in range(players):
        share = exp(float(advice.value[seat]) - most) / whole
        lead = float(advice.leads[seat])
        margin = 0.5 + 0.5 * lead / (config.margin_scale + abs(lead))
        advice.gains[(int(state.to_move) + seat) % players] = share + config.margin * (margin - share)
