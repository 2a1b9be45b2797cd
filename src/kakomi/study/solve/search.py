"""The compiled search behind the solver: is the value at least this much?

One question is asked of the whole tree, so that nodes are of two kinds: where the seat in question is to
act one action that reaches the threshold is enough, elsewhere all must. (An alpha-beta search with a null
window, asked again with other thresholds: A. Plaat and others, "Best-first fixed-depth minimax algorithms",
1996.) Bounds are fail-soft: what is learned of a value beyond the question is kept in the table.

The stack lies in arrays: level k holds the position after k actions. So the search stops after any number
of positions, and goes on from there.
"""

import numpy as np

from kakomi.kernel import driver
from kakomi.kernel.contract import legal, over, play, scores
from kakomi.study.solve.keys import MOST_SYMMETRIES
from kakomi.study.solve.table import NO_ACTION, UNBOUNDED, bits, find, keep

MOST_PLAYERS = 16
NOWHERE = -1
CUT_STEP = 2
"""How many plies more a game that is cut off is solved with, time after time."""
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
        ("margins", np.float64, MOST_PLAYERS),
        ("nodes", np.int64),  # positions looked at in all
        ("looked_up", np.int64),  # of them in the table
        ("level", np.int64),
        ("deepest", np.int64),
        ("threshold", np.int64),
        ("seat", np.int64),
        ("most_plies", np.int64),  # from the root on, or NOWHERE
        ("pieces_at", np.int64),  # byte of the state
        ("least_at", np.int64),  # byte of the state, or NOWHERE
        ("most_at", np.int64),  # byte of the state
        ("standing_at", np.int64),  # byte of the state, or NOWHERE
    ],
    align=True,
)
"""What a walk needs to know, and where it is."""

_MOST_HISTORY = 1 << 20
_MARGIN_WEIGHT = 1 << 12
_FIRST = 1 << 30


@driver
def begin(boards, states, octets, scratches, words, number_places, number_masks, number_words, left_words,
          maps, entries, frames, actions, orders, history, walks, budget):  # fmt: skip
    """Put the position in `states[0]` at the root; nothing is known of it before its actions are tried."""
    walk = walks[0]
    frame = frames[0]
    for s in range(words.shape[2]):
        frame.keys[s] = 0
        for point in range(words.shape[0]):
            frame.keys[s] ^= words[point, (int(octets[0, walk.pieces_at + point]) + 1) & 255, s]
    walk.level = 0
    _name(octets, frames, number_places, number_masks, number_words, left_words, walk, 0, words.shape[2])
    frame.lower = -UNBOUNDED
    frame.upper = UNBOUNDED
    frame.tip = NO_ACTION
    frame.margin = _margin(boards[0], states[0], walk)
    _look_up(maps, entries, frame)
    _enter(states, frames, walk)


@driver
def search_on(boards, states, octets, scratches, words, number_places, number_masks, number_words, left_words,
              maps, entries, frames, actions, orders, history, walks, budget):  # fmt: skip
    """Look at about `budget` positions more; whether the question is still open.

    It also stops, with `level` + 1 as long as `states`, when there is no room for a deeper level.
    """
    board, scratch, walk = boards[0], scratches[0], walks[0]
    stop = walk.nodes + budget
    while walk.level != FINISHED and walk.nodes < stop and walk.level + 1 < len(states):
        level = walk.level
        frame = frames[level]
        if frame.expanded == 0:
            _list_actions(board, states, scratch, actions, frame, level)
            for i in range(frame.width):
                action = actions[level, i]
                _step(board, states, octets, scratch, words, frames, walk, level, action)
                _appraise(board, states, octets, words, number_places, number_masks, number_words,
                          left_words, maps, entries, frames, walk)  # fmt: skip
                _weigh(board, states, octets, frames, walk, actions, orders, history, i)
                if frame.settled:
                    break
            if not frame.settled:
                _sort_open(frame, actions, orders, level)
        elif frame.settled or frame.place == frame.width:
            _leave(states, entries, maps, frames, actions, walk, history)
        else:
            action = actions[level, frame.place]
            frame.place += 1
            _step(board, states, octets, scratch, words, frames, walk, level, action)
            _appraise(board, states, octets, words, number_places, number_masks, number_words,
                      left_words, maps, entries, frames, walk)  # fmt: skip
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
    frame.width = legal(board, states[level], scratch)
    for i in range(frame.width):
        actions[level, i] = scratch.actions[i]


def _step(board, states, octets, scratch, words, frames, walk, level, action):
    """Play an action onto the next level, and follow it in the keys."""
    states[level + 1] = states[level]
    play(board, states[level + 1], scratch, action)
    walk.nodes += 1
    frame, following = frames[level], frames[level + 1]
    for s in range(words.shape[2]):
        following.keys[s] = frame.keys[s]
    for point in range(words.shape[0]):
        before = octets[level, walk.pieces_at + point]
        after = octets[level + 1, walk.pieces_at + point]
        if before != after:
            old = (int(before) + 1) & 255
            new = (int(after) + 1) & 255
            for s in range(words.shape[2]):
                following.keys[s] ^= words[point, old, s] ^ words[point, new, s]


def _appraise(board, states, octets, words, number_places, number_masks, number_words, left_words, maps,
              entries, frames, walk):  # fmt: skip
    """Bounds on the next level's value: the result, what can yet change, what the table knows."""
    level = walk.level + 1
    state, frame = states[level], frames[level]
    frame.margin = _margin(board, state, walk)
    frame.tip = NO_ACTION
    if over(board, state) or level == walk.most_plies:
        frame.lower = frame.margin
        frame.upper = frame.margin
        return
    frame.lower = -UNBOUNDED
    frame.upper = UNBOUNDED
    if walk.least_at != NOWHERE:
        frame.lower = lead_of(octets, level, walk, walk.least_at, walk.most_at, board.players)
        frame.upper = lead_of(octets, level, walk, walk.most_at, walk.least_at, board.players)
        if _answers(frame, walk):
            return
    _name(octets, frames, number_places, number_masks, number_words, left_words, walk, level, words.shape[2])
    walk.looked_up += 1
    _look_up(maps, entries, frame)


def _look_up(maps, entries, frame):
    place = find(entries, frame.key)
    if place >= 0:
        entry = entries[place]
        frame.lower = max(frame.lower, int(entry.lower))
        frame.upper = min(frame.upper, int(entry.upper))
        if entry.action != NO_ACTION:
            frame.tip = maps[1, frame.symmetry, entry.action]


def lead_of(octets, level, walk, own_at, others_at, players):
    """What the state at a level says of the seat in question in one field, less the most that it says of
    another player in the other."""
    best = -UNBOUNDED
    for player in range(players):
        if player != walk.seat:
            best = max(best, _short(octets, level, others_at + 2 * player))
    return _short(octets, level, own_at + 2 * walk.seat) - best


def _short(octets, level, at):
    """Sixteen bits of the state at a level."""
    word = int(octets[level, at]) + 256 * int(octets[level, at + 1])
    return word - 65536 if word >= 32768 else word


def _name(octets, frames, number_places, number_masks, number_words, left_words, walk, level, symmetries):
    """The key of the position at a level: the smallest of all symmetries."""
    frame = frames[level]
    frame.symmetry = 0
    for s in range(1, symmetries):
        if frame.keys[s] < frame.keys[frame.symmetry]:
            frame.symmetry = s
    key = frame.keys[frame.symmetry]
    for k in range(len(number_places)):
        key ^= number_words[k, int(octets[level, number_places[k]]) & number_masks[k]]
    if walk.most_plies != NOWHERE:
        key ^= left_words[walk.most_plies - level]
    frame.key = key


def _margin(board, state, walk):
    """By how much the seat in question is ahead of the best other player."""
    scores(board, state, walk.margins)
    best = -float(UNBOUNDED)
    for player in range(board.players):
        if player != walk.seat:
            best = max(best, walk.margins[player])
    return int(walk.margins[walk.seat] - best)


def _answers(frame, walk):
    """Whether the bounds answer the question."""
    return frame.lower >= walk.threshold or frame.upper < walk.threshold


def _weigh(board, states, octets, frames, walk, actions, orders, history, i):
    """Give the i-th action the order in which to try it, or learn from it if it is answered."""
    frame, following = frames[walk.level], frames[walk.level + 1]
    action = actions[walk.level, i]
    if _answers(following, walk):
        _learn(frame, following, walk, action)
        actions[walk.level, i] = NO_ACTION
        return
    lead = following.margin
    if walk.standing_at != NOWHERE:
        lead = lead_of(octets, walk.level + 1, walk, walk.standing_at, walk.standing_at, board.players)
    habit = int(history[states[walk.level].to_move, action])
    order = (lead if frame.seeks else -lead) * _MARGIN_WEIGHT + habit
    if action == frame.tip:
        order = _FIRST
    orders[walk.level, i] = order


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


def _leave(states, entries, maps, frames, actions, walk, history):
    """Keep what was proved of a position, and go back to the one before."""
    level = walk.level
    frame = frames[level]
    if frame.best >= walk.threshold:
        frame.lower = max(frame.lower, frame.best)
    else:
        frame.upper = min(frame.upper, frame.best)
    effort = bits(walk.nodes - frame.began)
    keep(entries, frame.key, frame.lower, frame.upper, maps[0, frame.symmetry, frame.best_action], effort)
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
