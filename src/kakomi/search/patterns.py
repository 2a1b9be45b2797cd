"""Patterns: what tables say of the stones round each point, as advice to a search that runs no network.

Each of two rings of points round a point has a class by what stands on it: nothing, a stone of the player to
act, another one, or no point at all; images of a ring are of one class. Tables hold a number for every class.
Those of a point make the logit of an action there (R. Coulom, "Computing Elo ratings of move patterns in the
game of Go", 2007), and those of all points the logit of a win, as in an n-tuple network (S. Lucas, "Learning
to play Othello with n-tuple systems", 2008). What the game knows of each point (`mark_features`) counts
besides, each feature by a weight, and so do figures of the whole position in the logit of a win.
"""

import math
from typing import NamedTuple

import numpy as np

from kakomi.kernel.contract import mark_features, scores
from kakomi.kernel.records import EMPTY

NOTHING, OWN, OTHER, BEYOND = range(4)
"""What may be on a point of a ring, for the player to act."""
CONTENTS = 4
CONSTANT, FILLED, LEAD, LEAD_WHEN_FILLED = range(4)
"""The figures of a position: 1, the share of points with a stone, the lead of the player to act in points
over the root of the number of points of the board, and the product of these two."""
FIGURES = 4
NOWHERE = -1
"""The place of an action that touches no point."""


class Patterns(NamedTuple):
    """The tables for one game, and working space. R is the number of rings round a point, K the most points
    of one, A the number of actions, F the number of the game's features."""

    rings: np.ndarray
    """int16 [points, R, K]: the points of each ring in order; one more than the last where there is none."""
    classes: np.ndarray
    """int32 [R, CONTENTS ** K]: the class of each ring's contents, read as digits."""
    kinds: np.ndarray
    """int32 [A]: the kind of each action,"""
    places: np.ndarray
    """int32 [A]: and the point that it touches, or `NOWHERE`."""
    shares: np.ndarray
    """float32 [kinds, CONTENTS, R, classes]: logits of actions, by what stands on the point itself."""
    weights: np.ndarray
    """float32 [kinds, F]: of features in the logits of actions."""
    biases: np.ndarray
    """float32 [kinds]."""
    values: np.ndarray
    """float32 [CONTENTS, R, classes]: parts of the logit of a win of the player to act."""
    outlook: np.ndarray
    """float32 [FIGURES]: the weight of each figure in the same logit."""
    contents: np.ndarray
    """int8 [points + 1]: working space; what is on each point."""
    found: np.ndarray
    """int32 [points, R]: working space; the class of each ring."""
    seen: np.ndarray
    """float32 [F, points]: working space for features."""
    figures: np.ndarray
    """float64 [FIGURES]: working space;"""
    scores: np.ndarray
    """float64 [players]: and more of it."""
    gains: np.ndarray
    """float64 [players]: the gains that are expected."""


def read_patterns(board, state, patterns):
    """Find the class of every ring."""
    _read_contents(board, state, patterns.contents)
    rings, classes, contents, found = patterns.rings, patterns.classes, patterns.contents, patterns.found
    for point in range(board.points):
        for ring in range(rings.shape[1]):
            code = 0
            for k in range(rings.shape[2]):
                code = code * CONTENTS + int(contents[rings[point, ring, k]])
            found[point, ring] = classes[ring, code]


def _read_contents(board, state, contents):
    mover = int(state.to_move)
    for point in range(board.points):
        stone = int(state.stones[point])
        if stone == EMPTY:
            contents[point] = NOTHING
        elif stone % board.players == mover:
            contents[point] = OWN
        else:
            contents[point] = OTHER
    contents[board.points] = BEYOND


def read_figures(board, state, patterns):
    """Find the figures. The classes must have been read."""
    stones = 0
    for point in range(board.points):
        stones += patterns.contents[point] != NOTHING
    filled = stones / board.points
    lead = _lead(board, state, patterns.scores) / math.sqrt(board.points)
    figures = patterns.figures
    figures[CONSTANT] = 1.0
    figures[FILLED] = filled
    figures[LEAD] = lead
    figures[LEAD_WHEN_FILLED] = lead * filled


def _lead(board, state, points):
    scores(board, state, points)
    best = -math.inf
    for player in range(board.players):
        if player != state.to_move and points[player] > best:
            best = points[player]
    return points[state.to_move] - best


def promise(board, state, scratch, count, patterns, scale, out):
    """Write what the actions `scratch.actions[:count]` promise: 0.5, and `scale` more by the logit above
    their mean. The classes must have been read."""
    mark_features(board, state, scratch, patterns.seen)
    mean = 0.0
    for i in range(count):
        out[i] = _logit(patterns, int(scratch.actions[i]))
        mean += out[i] / count
    for i in range(count):
        out[i] = 0.5 + scale * (out[i] - mean)


# np.float64, as float() leaves single precision as it is in compiled code, and only there.
def _logit(patterns, action):
    kind = patterns.kinds[action]
    point = patterns.places[action]
    logit = np.float64(patterns.biases[kind])
    if point == NOWHERE:
        return logit
    centre = patterns.contents[point]
    for ring in range(patterns.found.shape[1]):
        logit += np.float64(patterns.shares[kind, centre, ring, patterns.found[point, ring]])
    for feature in range(len(patterns.seen)):
        logit += np.float64(patterns.weights[kind, feature]) * np.float64(patterns.seen[feature, point])
    return logit


def expect(board, state, patterns):
    """Write the gains that are expected: the mover's by the logit of a win, the rest shared by the others.
    The classes must have been read."""
    read_figures(board, state, patterns)
    logit = 0.0
    for figure in range(FIGURES):
        logit += np.float64(patterns.outlook[figure]) * patterns.figures[figure]
    for point in range(board.points):
        centre = patterns.contents[point]
        for ring in range(patterns.found.shape[1]):
            logit += np.float64(patterns.values[centre, ring, patterns.found[point, ring]])
    share = 1 / (1 + math.exp(-logit))
    for player in range(board.players):
        patterns.gains[player] = (1 - share) / (board.players - 1)
    patterns.gains[state.to_move] = share
