"""The compiled search behind the solver: is the value at least this much?

One question is asked of the whole tree, so that nodes are of two kinds: where the seat in question is to
act one action that reaches the threshold is enough, elsewhere all must. (An alpha-beta search with a null
window, asked again with other thresholds: A. Plaat and others, "Best-first fixed-depth minimax algorithms",
1996.) Bounds are fail-soft: what is learned of a value beyond the question is kept in the table.

The stack lies in arrays: level k holds the position after k actions. So the search stops after any number
of positions, and goes on from there.
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
from kakomi.solve.table import NO_ACTION, UNBOUNDED, bits, find, keep

MOST_PLAYERS = 16
NOWHERE = -1
CUT_STEP = 2
"""The plies by which the cut-off of an endless game is raised, again and again."""
FINISHED = -1
"""`level` when the question is answered."""

FRAME = np.dtype(
    [
        ("keys", np.uint64, MOST_SYMMETRIES),  # of the points alone
        ("key", np.uint64),
        ("began", np.int64),  # positions looked at before this one
        ("symmetry", np.int32),  # that the key comes from
        ("lower", np.int32),
        ("upper", np.int32),
        ("margin", np.int32),  # as it stands
        ("best", np.int32),  # bound on the value that the actions so far prove
        ("best_action", np.int32),
        ("tip", np.int32),  # the action that proved most when the position was met before
        ("width", np.int32),
        ("place", np.int32),
        ("seeks", np.int8),  # whether the seat in question is to act
        ("expanded", np.int8),
        ("settled", np.int8),  # whether an action has answered the question here
    ],
    align=True,
)
WALK = np.dtype(
    [
        ("margins", np.float64, MOST_PLAYERS),  # space for each player's score
        ("standing", np.float64, MOST_PLAYERS),  # and how each stands
        ("least", np.int64, MOST_PLAYERS),  # and where each score can still end
        ("most", np.int64, MOST_PLAYERS),
        ("nodes", np.int64),  # positions looked at in all
        ("looked_up", np.int64),  # of them in the table
        ("level", np.int64),
        ("deepest", np.int64),
        ("threshold", np.int64),
        ("seat", np.int64),
        ("most_plies", np.int64),  # from the root on, or NOWHERE
        ("certain_lower", np.int64),  # of the root's value, before any search
        ("certain_upper", np.int64),
    ],
    align=True,
)
"""The parameters and the state of a walk."""


class Rules(NamedTuple):
    """The arguments of a game's functions beside the state."""

    boards: np.ndarray
    """(1,) of the game's `BOARD`."""
    scratches: np.ndarray
    """(1,) of the game's `SCRATCH`."""


class Words(NamedTuple):
    """The words that keys are made of, by `kakomi.solve.keys`."""

    points: np.ndarray
    """uint64 (points, pieces, symmetries): a word for each piece on each point, on every turned board."""
    parts: np.ndarray
    """(parts,) of `PART`: the used bits of each number."""
    numbers: np.ndarray
    """uint64 (parts, 256): for each value of a part."""
    left: np.ndarray
    """uint64 (plies + 1,): for how many actions are left before play is cut off."""
    maps: np.ndarray
    """int16 (2, symmetries, actions): the images of actions, and the way back."""


class Stack(NamedTuple):
    """Level k is the position after k actions."""

    states: np.ndarray
    """(levels,) of the game's `STATE`."""
    frames: np.ndarray
    """(levels,) of `FRAME`."""
    pieces: np.ndarray
    """int8 (levels, points): the content of each point."""
    actions: np.ndarray
    """int32 (levels, actions): those to be tried, in the order of `orders`."""
    orders: np.ndarray
    """int64 (levels, actions): the priority of each."""


# Further arguments: `entries` is the table, `history` int64 (players, actions) for the history heuristic,
# `values` int64 space for a position's numbers, `walks` (1,) of `WALK`, and `budget` a number of positions.

_MOST_HISTORY = 1 << 20
_MARGIN_WEIGHT = 1 << 12
_FIRST = 1 << 30


@driver
def begin(rules, words, stack, entries, history, values, walks, budget):
    """Put the position in `states[0]` at the root; nothing is known of it before its actions are tried."""
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
    """Look at about `budget` positions more; whether the question is still open.

    It also stops, with `level` + 1 as long as `states`, when there is no room for a deeper level.
    """
    board, scratch, walk = rules.boards[0], rules.scratches[0], walks[0]
    # Taken out of their tuples once: at every use they would be counted as in use, at half the speed.
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
    """Begin with the position at the walk's level."""
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
    """Where play is cut off: the best action with fewer plies left, if none is known with these."""
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
    """Play an action onto the next level, and follow it in the keys."""
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
    """Bounds on the next level's value: the result, what can yet change, what the table knows."""
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
    """The certain bounds on a position's value."""
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
    """A seat's number, less the largest of the others."""
    best = others[1] if seat == 0 else others[0]
    for player in range(players):
        if player != seat:
            best = max(best, others[player])
    return int(own[seat] - best)


def _name(board, state, frame, parts, number_words, left_words, symmetries, values, level, walk):
    """The key of the position at a level: the smallest of all symmetries."""
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
    """By how much the seat in question is ahead of the best other player."""
    scores(board, state, walk.margins)
    return _lead(walk.margins, walk.margins, walk.seat, board.players)


def _answers(frame, walk):
    """Whether the bounds answer the question."""
    return frame.lower >= walk.threshold or frame.upper < walk.threshold


def _weigh(board, states, frames, actions, orders, history, walk, i):
    """Give the i-th action the order in which to try it, or learn from it if it is answered."""
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
    """Sort the actions that are still to be tried, the most promising first."""
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
    """Take over what an answered action proves."""
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
    """Store the proved bounds of a position, and go back to the one before."""
    level = walk.level
    frame = frames[level]
    if frame.best >= walk.threshold:
        frame.lower = max(frame.lower, frame.best)
    else:
        frame.upper = min(frame.upper, frame.best)
    effort = bits(walk.nodes - frame.began)
    action = maps[0, frame.symmetry, frame.best_action]
    keep(entries, frame.key, frame.lower, frame.upper, action, effort)
    if frame.settled:
        _remember(history, states[level].to_move, frame.best_action, effort)
    walk.level -= 1
    if level > 0:
        before = frames[level - 1]
        _learn(before, frame, walk, actions[level - 1, before.place - 1])


def _remember(history, mover, action, effort):
    """The history heuristic (J. Schaeffer, 1989): what settled one position may settle another."""
    history[mover, action] += effort * effort
    if history[mover, action] > _MOST_HISTORY:
        for player in range(history.shape[0]):
            for other in range(history.shape[1]):
                history[player, other] >>= 1
