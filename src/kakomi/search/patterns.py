"""Patterns: tables indexed by the stones round each point, which advise a search without a network.

Each of the two rings round a point has a class, determined by the contents of its points: empty, a stone of
the player to act, another stone, or off the board. Symmetric contents have the same class. Tables hold a
number for every class. The numbers of a point sum to the logit of an action there (R. Coulom, "Computing Elo
ratings of move patterns in the game of Go", 2007), and those of all points to the logit of a win, as in an
n-tuple network (S. Lucas, "Learning to play Othello with n-tuple systems", 2008). The logit of an action adds
the game's weighted features of the point (`mark_features`), the logit of a win weighted figures of the whole
position.
"""

import math
from typing import NamedTuple

import numpy as np

from kakomi.kernel.contract import mark_features, scores
from kakomi.kernel.elementary import exp
from kakomi.kernel.records import EMPTY

NOTHING, OWN, OTHER, BEYOND = range(4)
"""The possible contents of a ring's point, from the view of the player to act."""
CONTENTS = 4
CONSTANT, FILLED, LEAD, LEAD_WHEN_FILLED = range(4)
"""The figures of a position: 1, the share of points with a stone, the score lead of the player to act divided
by the square root of the board's number of points, and the product of the last two."""
FIGURES = 4
NOWHERE = -1
"""The place of an action without a point."""


class Patterns(NamedTuple):
    """The tables for one game, and working space. R is the number of rings round a point, K the number of
    points in a ring, A the number of actions, F the number of the game's features."""

    rings: np.ndarray
    """int16 [points, R, K]: the points of each ring in order; off the board, the number of points."""
    classes: np.ndarray
    """int32 [R, CONTENTS ** K]: the class of each ring's contents, read as digits."""
    kinds: np.ndarray
    """int32 [A]: the kind of each action."""
    places: np.ndarray
    """int32 [A]: the point of each action, or `NOWHERE`."""
    shares: np.ndarray
    """float32 [kinds, CONTENTS, R, classes]: parts of an action's logit, by the contents of its point."""
    weights: np.ndarray
    """float32 [kinds, F]: the weight of each feature in the logit of an action."""
    biases: np.ndarray
    """float32 [kinds]: the constant part of the logit of an action."""
    values: np.ndarray
    """float32 [CONTENTS, R, classes]: parts of the logit of a win for the player to act."""
    outlook: np.ndarray
    """float32 [FIGURES]: the weight of each figure in the same logit."""
    contents: np.ndarray
    """int8 [points + 1]: working space; the contents of each point."""
    found: np.ndarray
    """int32 [points, R]: working space; the class of each ring."""
    seen: np.ndarray
    """float32 [F, points]: working space for features."""
    figures: np.ndarray
    """float64 [FIGURES]: working space for figures."""
    scores: np.ndarray
    """float64 [players]: working space for scores."""
    gains: np.ndarray
    """float64 [players]: the expected gains."""


def read_patterns(board, state, patterns):
    """Write the class of every ring to `patterns.found`."""
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
    """Write the figures. Requires `read_patterns` first."""
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


def write_priors(board, state, scratch, count, patterns, scale, out):
    """Write the priors of `scratch.actions[:count]`: 0.5 plus `scale` times the difference of the logit from
    the mean. Requires `read_patterns` first."""
    mark_features(board, state, scratch, patterns.seen)
    mean = 0.0
    for i in range(count):
        out[i] = _logit(patterns, int(scratch.actions[i]))
        mean += out[i] / count
    for i in range(count):
        out[i] = 0.5 + scale * (out[i] - mean)


# np.float64, because float() keeps single precision in compiled code, but not in interpreted code.
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


def write_gains(board, state, patterns):
    """Write the expected gains: the mover's from the logit of a win, the rest split among the others.
    Requires `read_patterns` first."""
    read_figures(board, state, patterns)
    logit = 0.0
    for figure in range(FIGURES):
        logit += np.float64(patterns.outlook[figure]) * patterns.figures[figure]
    for point in range(board.points):
        centre = patterns.contents[point]
        for ring in range(patterns.found.shape[1]):
            logit += np.float64(patterns.values[centre, ring, patterns.found[point, ring]])
    share = 1 / (1 + exp(-logit))
    for player in range(board.players):
        patterns.gains[player] = (1 - share) / (board.players - 1)
    patterns.gains[state.to_move] = share
