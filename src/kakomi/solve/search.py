"""The compiled search behind the solver: is the value at least this much?

The whole tree is searched for one threshold, so nodes are of two kinds: where the seat being solved for is to
act, one action that reaches the threshold is enough; elsewhere all must. This is alpha-beta with a null
window, repeated with other thresholds (A. Plaat and others, "Best-first fixed-depth minimax algorithms",
1996). Bounds are fail-soft: the table keeps tighter bounds than the threshold requires.

The stack is kept in arrays: level k holds the position after k actions. So the search can pause after any
number of positions and resume.
"""

from typing import NamedTuple

import numpy as np

from kakomi.kernel import driver
from kakomi.kernel.contract import (
    bound_scores,
    numbers,
    over,
    piece,
    scores,
    solver_legal,
    solver_play,
    standing,
)
from kakomi.solve.keys import MOST_SYMMETRIES
from kakomi.solve.table import NO_ACTION, UNBOUNDED, bits, find, store

MOST_PLAYERS = 16
NOWHERE = -1
CUT_STEP = 2
"""The plies by which the cut-off of an endless game is raised each time."""
FINISHED = -1
"""`level` once the search has an answer."""

FRAME = np.dtype(
    [
        ("keys", np.uint64, MOST_SYMMETRIES),  # of the points alone, under each symmetry
        ("key", np.uint64),
        ("began", np.int64),  # positions searched before this one
        ("symmetry", np.int32),  # the symmetry that gives the key
        ("lower", np.int32),
        ("upper", np.int32),
        ("margin", np.int32),  # of the scores in this position
        ("best", np.int32),  # bound on the value proved by the actions so far
        ("best_action", np.int32),
        ("tip", np.int32),  # the best action of an earlier search
        ("width", np.int32),
        ("place", np.int32),
        ("seeks", np.int8),  # whether the seat being solved for is to act
        ("expanded", np.int8),
        ("settled", np.int8),  # whether an action has decided this node
    ],
    align=True,
)
WALK = np.dtype(
    [
        ("margins", np.float64, MOST_PLAYERS),  # working space for scores
        ("standing", np.float64, MOST_PLAYERS),  # working space for `standing`
        ("least", np.int64, MOST_PLAYERS),  # working space for `bound_scores`
        ("most", np.int64, MOST_PLAYERS),
        ("nodes", np.int64),  # positions searched in total
        ("looked_up", np.int64),  # of these, looked up in the table
        ("level", np.int64),
        ("deepest", np.int64),
        ("threshold", np.int64),
        ("seat", np.int64),
        ("most_plies", np.int64),  # cut-off, counted from the root, or NOWHERE
        ("certain_lower", np.int64),  # bounds on the root's value before any search
        ("certain_upper", np.int64),
    ],
    align=True,
)
"""The parameters and the state of a walk."""


class Rules(NamedTuple):
    """The arguments of a game's functions other than the state."""

    boards: np.ndarray
    """The game's `BOARD` [1]."""
    scratches: np.ndarray
    """The game's `SCRATCH` [1]."""


class Words(NamedTuple):
    """The words that make up keys (`kakomi.solve.keys`)."""

    points: np.ndarray
    """uint64 [points, pieces, symmetries]: for each piece on each point under each symmetry."""
    parts: np.ndarray
    """`PART` [parts]: the bits of the numbers in use."""
    numbers: np.ndarray
    """uint64 [parts, 256]: for each value of a part."""
    left: np.ndarray
    """uint64 [plies + 1]: for each number of actions left before the cut-off."""
    maps: np.ndarray
    """int16 [2, symmetries, actions]: the images (0) and preimages (1) of actions."""


class Stack(NamedTuple):
    """The search stack; level k is the position after k actions."""

    states: np.ndarray
    """The game's `STATE` [levels]."""
    frames: np.ndarray
    """`FRAME` [levels]."""
    pieces: np.ndarray
    """int8 [levels, points]: the content of each point."""
    actions: np.ndarray
    """int32 [levels, actions]: the actions to try, sorted by `orders`, largest first."""
    orders: np.ndarray
    """int64 [levels, actions]: the priority of each."""


# Further arguments: `entries` is the table, `history` int64 [players, actions] for the history heuristic,
# `values` int64 space for a position's numbers, `walks` `WALK` [1], and `budget` a number of positions.

_MOST_HISTORY = 1 << 20
_MARGIN_WEIGHT = 1 << 12
_FIRST = 1 << 30


@driver
def begin(rules, words, stack, entries, history, values, walks, budget):
    """Start a search at the position in `states[0]`, with open bounds on the root."""
    board, walk = rules.boards[0], walks[0]
    state, frame = stack.states[0], stack.frames[0]
    symmetries = words.points.shape[2]
    for s in range(symmetries):
        frame.keys[s] = 0
    for point in range(words.points.shape[0]):
        stack.pieces[0, point] = piece(board, state, point)
        for s in range(symmetries):
            frame.keys[s] ^= words.points[point, stack.pieces[0, point], s]
    walk.level = 0
    _name(board, state, frame, words.parts, words.numbers, words.left, symmetries, values, 0, walk)
    _bound(board, state, frame, walk)
    walk.certain_lower = frame.lower
    walk.certain_upper = frame.upper
    frame.lower = -UNBOUNDED
    frame.upper = UNBOUNDED
    frame.tip = NO_ACTION
    frame.margin = _margin(board, state, walk)
    _look_up(words.maps, entries, frame)
    _enter(stack.states, stack.frames, walk)


@driver
def search_on(rules, words, stack, entries, history, values, walks, budget):
    """Search about `budget` more positions. Return whether the search is still unfinished.

    It also pauses, with `level` + 1 equal to the length of `states`, when the stack is full.
    """
    board, scratch, walk = rules.boards[0], rules.scratches[0], walks[0]
    # Unpack the tuples once: access through them at every use costs reference counting and half the speed.
    point_words, parts, number_words, left_words, maps = words
    states, frames, pieces, actions, orders = stack
    symmetries = point_words.shape[2]
    stop = walk.nodes + budget
    while walk.level != FINISHED and walk.nodes < stop and walk.level + 1 < len(states):
        level = walk.level
        frame = frames[level]
        if frame.expanded == 0:
            _list_actions(board, states, scratch, actions, frame, level)
            for i in range(frame.width):
                _step(board, scratch, states, frames, pieces, point_words, walk, actions[level, i])
                _appraise(board, states[level + 1], frames[level + 1], parts, number_words, left_words,
                          symmetries, maps, entries, values, walk)  # fmt: skip
                _weigh(board, states, frames, actions, orders, history, walk, i)
                if frame.settled:
                    break
            if not frame.settled:
                _sort_open(frame, actions, orders, level)
        elif frame.settled or frame.place == frame.width:
            _leave(states, frames, actions, maps, entries, history, walk)
        else:
            action = actions[level, frame.place]
            frame.place += 1
            _step(board, scratch, states, frames, pieces, point_words, walk, action)
            _appraise(board, states[level + 1], frames[level + 1], parts, number_words, left_words,
                      symmetries, maps, entries, values, walk)  # fmt: skip
            if not _answers(frames[level + 1], walk):
                walk.level += 1
                _enter(states, frames, walk)
                _ask_shorter(left_words, maps, entries, frames[level + 1], walk)
            else:
                _learn(frame, frames[level + 1], walk, action)
    return walk.level != FINISHED


def _enter(states, frames, walk):
    """Initialise the frame at the walk's level."""
    frame = frames[walk.level]
    frame.began = walk.nodes
    frame.expanded = 0
    frame.settled = 0
    frame.place = 0
    frame.best_action = NO_ACTION
    frame.seeks = states[walk.level].to_move == walk.seat
    frame.best = -UNBOUNDED if frame.seeks else UNBOUNDED
    walk.deepest = max(walk.deepest, walk.level)


def _ask_shorter(left_words, maps, entries, frame, walk):
    """With a cut-off, take the best action known for a shorter one if none is known for this one."""
    left = walk.most_plies - walk.level
    if walk.most_plies == NOWHERE or frame.tip != NO_ACTION or left <= CUT_STEP:
        return
    place = find(entries, frame.key ^ left_words[left] ^ left_words[left - CUT_STEP])
    if place >= 0 and entries[place].action != NO_ACTION:
        frame.tip = maps[1, frame.symmetry, entries[place].action]


def _list_actions(board, states, scratch, actions, frame, level):
    frame.expanded = 1
    frame.width = solver_legal(board, states[level], scratch)
    for i in range(frame.width):
        actions[level, i] = scratch.actions[i]


def _step(board, scratch, states, frames, pieces, point_words, walk, action):
    """Play an action onto the next level and update the keys."""
    level = walk.level
    states[level + 1] = states[level]
    after = states[level + 1]
    solver_play(board, after, scratch, action)
    walk.nodes += 1
    frame, following = frames[level], frames[level + 1]
    for s in range(point_words.shape[2]):
        following.keys[s] = frame.keys[s]
    for point in range(point_words.shape[0]):
        old = int(pieces[level, point])
        new = int(piece(board, after, point))
        pieces[level + 1, point] = new
        if old != new:
            for s in range(point_words.shape[2]):
                following.keys[s] ^= point_words[point, old, s] ^ point_words[point, new, s]


def _appraise(board, state, frame, parts, number_words, left_words, symmetries, maps, entries, values, walk):
    """Set bounds on the next level's value: from a final result, the rules' bounds, and the table."""
    frame.margin = _margin(board, state, walk)
    frame.tip = NO_ACTION
    if over(board, state) or walk.level + 1 == walk.most_plies:
        frame.lower = frame.margin
        frame.upper = frame.margin
        return
    _bound(board, state, frame, walk)
    if _answers(frame, walk):
        return
    level = walk.level + 1
    _name(board, state, frame, parts, number_words, left_words, symmetries, values, level, walk)
    walk.looked_up += 1
    _look_up(maps, entries, frame)


def _bound(board, state, frame, walk):
    """Set the bounds on a position's value that the rules guarantee."""
    bound_scores(board, state, walk.least, walk.most)
    frame.lower = _lead(walk.least, walk.most, walk.seat, board.players)
    frame.upper = _lead(walk.most, walk.least, walk.seat, board.players)


def _look_up(maps, entries, frame):
    place = find(entries, frame.key)
    if place >= 0:
        entry = entries[place]
        frame.lower = max(frame.lower, int(entry.lower))
        frame.upper = min(frame.upper, int(entry.upper))
        if entry.action != NO_ACTION:
            frame.tip = maps[1, frame.symmetry, entry.action]


def _lead(own, others, seat, players):
    """Return a seat's number minus the largest of the others."""
    best = others[1] if seat == 0 else others[0]
    for player in range(players):
        if player != seat:
            best = max(best, others[player])
    return int(own[seat] - best)


def _name(board, state, frame, parts, number_words, left_words, symmetries, values, level, walk):
    """Set the key of the position at a level, the smallest over all symmetries."""
    frame.symmetry = 0
    for s in range(1, symmetries):
        if frame.keys[s] < frame.keys[frame.symmetry]:
            frame.symmetry = s
    key = frame.keys[frame.symmetry]
    numbers(board, state, values)
    for k in range(len(parts)):
        part = parts[k]
        key ^= number_words[k, (values[part.number] >> part.shift) & part.mask]
    if walk.most_plies != NOWHERE:
        key ^= left_words[walk.most_plies - level]
    frame.key = key


def _margin(board, state, walk):
    """Return the lead of the seat being solved for over the best other player."""
    scores(board, state, walk.margins)
    return _lead(walk.margins, walk.margins, walk.seat, board.players)


def _answers(frame, walk):
    """Whether the bounds decide the threshold."""
    return frame.lower >= walk.threshold or frame.upper < walk.threshold


def _weigh(board, states, frames, actions, orders, history, walk, i):
    """Set the i-th action's priority, or use its result at once if its bounds decide the threshold."""
    level = walk.level
    frame, following = frames[level], frames[level + 1]
    action = actions[level, i]
    if _answers(following, walk):
        _learn(frame, following, walk, action)
        actions[level, i] = NO_ACTION
        return
    standing(board, states[level + 1], walk.standing)
    lead = _lead(walk.standing, walk.standing, walk.seat, board.players)
    habit = int(history[states[level].to_move, action])
    order = (lead if frame.seeks else -lead) * _MARGIN_WEIGHT + habit
    if action == frame.tip:
        order = _FIRST
    orders[level, i] = order


def _sort_open(frame, actions, orders, level):
    """Sort the undecided actions, highest priority first."""
    n = 0
    for i in range(frame.width):
        action = actions[level, i]
        if action == NO_ACTION:
            continue
        order = orders[level, i]
        k = n
        while k > 0 and orders[level, k - 1] < order:
            orders[level, k] = orders[level, k - 1]
            actions[level, k] = actions[level, k - 1]
            k -= 1
        orders[level, k] = order
        actions[level, k] = action
        n += 1
    frame.width = n


def _learn(frame, following, walk, action):
    """Update a node from an action whose bounds decide the threshold."""
    if frame.seeks:
        if following.lower >= walk.threshold:
            frame.settled = 1
            frame.best = following.lower
            frame.best_action = action
        elif following.upper > frame.best:
            frame.best = following.upper
            frame.best_action = action
    elif following.upper < walk.threshold:
        frame.settled = 1
        frame.best = following.upper
        frame.best_action = action
    elif following.lower < frame.best:
        frame.best = following.lower
        frame.best_action = action


def _leave(states, frames, actions, maps, entries, history, walk):
    """Store a position's proved bounds and return to the level above."""
    level = walk.level
    frame = frames[level]
    if frame.best >= walk.threshold:
        frame.lower = max(frame.lower, frame.best)
    else:
        frame.upper = min(frame.upper, frame.best)
    effort = bits(walk.nodes - frame.began)
    action = maps[0, frame.symmetry, frame.best_action]
    store(entries, frame.key, frame.lower, frame.upper, action, effort)
    if frame.settled:
        _remember(history, states[level].to_move, frame.best_action, effort)
    walk.level -= 1
    if level > 0:
        before = frames[level - 1]
        _learn(before, frame, walk, actions[level - 1, before.place - 1])


def _remember(history, mover, action, effort):
    """Update the history heuristic (J. Schaeffer, 1989): what decided one node may decide another."""
    history[mover, action] += effort * effort
    if history[mover, action] > _MOST_HISTORY:
        for player in range(history.shape[0]):
            for other in range(history.shape[1]):
                history[player, other] >>= 1
