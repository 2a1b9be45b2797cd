"""Rive's rules (RULES V1-V8), by Mark Steere, 2010.

A placement beside a largest group of the smallest possible size m makes a group of m + 1 stones, with or
without a capture. So the largest neighbouring group changes only at cells where its size was m, and at cells
that a capture emptied. The helper fields of the rest of the board stay valid.
"""

import numpy as np

from kakomi.boards import SIX_AROUND, Geometry
from kakomi.core.option import Options
from kakomi.games.rive.groups import (
    ARCS,
    MAX_POINTS,
    NO_GROUP,
    OUTSIDE,
    found_group,
    is_whole_without,
    join_group,
    largest_group_around,
    list_groups_around,
    merge_around,
    stones_around,
    touches,
)
from kakomi.kernel import below
from kakomi.kernel.pool import put_in, take_out
from kakomi.kernel.records import (
    EMPTY,
    board_record,
    clear_stones,
    empty_fields,
    lift_stone,
    list_empties,
    put_stone,
    scratch_record,
    state_record,
)

NOWHERE = -1

BOARD = board_record(("around", np.uint8, (MAX_POINTS, 6)))  # clockwise, OUTSIDE beyond the edge
STATE = state_record(
    MAX_POINTS,
    ("excess", np.int16),  # stones still to be removed in a capture (RULES V4)
    ("shrinking", np.int16),  # first point of the shrinking group, or NOWHERE
    ("holes", np.int16),  # of that group
    ("lowest", np.int16),  # size of the largest group beside any cell that may be played (RULES V3)
    ("choice_count", np.int16),
    ("counts", np.int16, 2),
    *empty_fields(MAX_POINTS),
    ("choices", np.uint8, MAX_POINTS),  # every legal placement; in a capture, the shrinking group
    ("place_in_choices", np.uint8, MAX_POINTS),  # kept only in a capture
    ("largest_beside", np.uint8, MAX_POINTS),  # of empty points: size of the largest group they touch
    ("rive_groups", np.uint8, MAX_POINTS + 1),  # of points; a group's name is one of its stones
    ("next_in_group", np.uint8, MAX_POINTS),  # a circular list of each group's stones
    ("group_sizes", np.uint8, MAX_POINTS + 1),
    ("group_holes", np.int8, MAX_POINTS),
)
IDENTITY = ("stones", "to_move", "excess", "shrinking")
SCRATCH = scratch_record(MAX_POINTS, ("joined", np.int64, 3))  # the groups that a stone touches


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Fill in the neighbours of each point."""
    board["around"][: geometry.points] = geometry.around(SIX_AROUND, OUTSIDE)


def reset(board, state):
    """Set up the empty board, Black to place."""
    clear_stones(board, state)
    _clear(board, state)
    state.to_move = 0
    state.excess = 0
    state.shrinking = NOWHERE
    for point in range(board.points):
        state.largest_beside[point] = 0
    _list_placements(state)


def restore(board, state, scratch):
    """Compute the helper fields from the stones and the capture in progress."""
    list_empties(board, state)
    _clear(board, state)
    for point in range(board.points):
        if state.stones[point] != EMPTY:
            state.counts[state.stones[point]] += 1
            merge_around(board, state, scratch, point)
    if state.excess > 0:
        _resume_capture(board, state)
    else:
        for point in range(board.points):
            state.largest_beside[point] = largest_group_around(board, state, point)
        _list_placements(state)


def _clear(board, state):
    """Remove all groups and stone counts."""
    for point in range(board.points):
        state.rive_groups[point] = NO_GROUP
    state.rive_groups[OUTSIDE] = NO_GROUP
    state.group_sizes[NO_GROUP] = 0
    state.counts[0] = 0
    state.counts[1] = 0


def is_legal(board, state, scratch, action):
    """Whether a placement or a removal is due as given, and RULES V3 or V5 allows it."""
    if state.excess == 0:
        if action >= board.points or state.stones[action] != EMPTY:
            return False
        return state.largest_beside[action] == state.lowest
    point = action - board.points
    return point >= 0 and is_shrinking(state, point) and is_whole_without(board, state, point, state.holes)


def sample(board, state, scratch, rng):
    """Draw a legal action. Some stone of a group can always be removed, so redraw until one can."""
    point = int(state.choices[below(rng, state.choice_count)])
    if state.excess == 0:
        return point
    while not is_whole_without(board, state, point, state.holes):
        point = int(state.choices[below(rng, state.choice_count)])
    return board.points + point


def play(board, state, scratch, action):
    """Place a stone, or remove one from the shrinking group."""
    if action < board.points:
        _place(board, state, scratch, action)
    else:
        _remove(board, state, action - board.points)


def over(board, state):
    """Whether the board is full and nothing is left to remove (RULES V7)."""
    return state.empty_count == 0 and state.excess == 0


def scores(board, state, out):
    """Count each player's stones on the board (RULES V7)."""
    out[0] = state.counts[0]
    out[1] = state.counts[1]


def _place(board, state, scratch, point):
    """Place a stone. After a capture, the same player places again (RULES V3, V4, V6)."""
    put_stone(state, point, state.to_move)
    state.counts[state.to_move] += 1
    neighbours = stones_around(board, state, point)
    joined = list_groups_around(board, state, scratch, point, neighbours)
    if joined > 1:
        _begin_capture(state, scratch, point, joined, ARCS[neighbours])
        return
    state.to_move = 1 - state.to_move
    if joined == 0:
        found_group(state, point)
        _touch_neighbours(board, state, point)
    else:
        join_group(state, point, scratch.joined[0], ARCS[neighbours])
        _touch_choices(board, state, scratch.joined[0])
    _keep_lowest_choices(state)


def _touch_neighbours(board, state, point):
    """Update the cells beside a new single stone that touched no group before."""
    state.largest_beside[point] = 1
    for k in range(6):
        beside = board.around[point, k]
        if beside != OUTSIDE and state.largest_beside[beside] == 0:
            state.largest_beside[beside] = 1


def _touch_choices(board, state, group):
    """Update the playable cells beside a group that has grown by a stone."""
    for i in range(state.choice_count):
        point = state.choices[i]
        state.largest_beside[point] += int(touches(board, state, point, group))


def _keep_lowest_choices(state):
    """Drop choices whose largest group has grown; without a capture, no cell's largest group shrinks."""
    n = 0
    for i in range(state.choice_count):
        point = state.choices[i]
        state.choices[n] = point
        n += int(state.largest_beside[point] == state.lowest)
    state.choice_count = n
    if n == 0:
        _list_placements(state)


def _list_placements(state):
    """List the cells whose largest neighbouring group is smallest (RULES V3)."""
    lowest = MAX_POINTS
    for i in range(state.empty_count):
        lowest = min(lowest, int(state.largest_beside[state.empties[i]]))
    n = 0
    for i in range(state.empty_count):
        point = state.empties[i]
        state.choices[n] = point
        n += int(state.largest_beside[point] == lowest)
    state.lowest = lowest
    state.choice_count = n


def _begin_capture(state, scratch, point, joined, arcs):
    """Begin to shrink the joined groups and the new stone to `lowest` + 1 stones (RULES V4)."""
    found_group(state, point)
    state.choice_count = 0
    state.holes = arcs - joined
    _shrink_group(state, point)
    for i in range(joined):
        _shrink_group(state, scratch.joined[i])
    state.excess = state.choice_count - state.lowest - 1
    state.shrinking = _first_choice(state)


def _resume_capture(board, state):
    """Like `_begin_capture`, for a group that may have lost stones already."""
    group = state.rive_groups[state.shrinking]
    state.choice_count = 0
    state.holes = 0
    _shrink_group(state, group)
    state.lowest = state.choice_count - state.excess - 1
    state.shrinking = _first_choice(state)
    state.group_sizes[group] = 0
    for point in range(board.points):
        state.largest_beside[point] = max(int(state.lowest), largest_group_around(board, state, point))


def _shrink_group(state, group):
    """Add a group's stones to those from which the capture removes."""
    state.holes += state.group_holes[group]
    member = group
    for _ in range(state.group_sizes[group]):
        state.choice_count = put_in(state.choices, state.place_in_choices, state.choice_count, member)
        member = state.next_in_group[member]


def _first_choice(state):
    first = MAX_POINTS
    for i in range(state.choice_count):
        first = min(first, int(state.choices[i]))
    return first


def _remove(board, state, point):
    """Remove one stone; the last one due ends the capture (RULES V5)."""
    state.holes += 1 - ARCS[stones_around(board, state, point)]
    _take_off(state, point)
    state.excess -= 1
    if state.excess == 0:
        _end_capture(board, state)
    elif state.shrinking == point:
        state.shrinking = _first_choice(state)


def _take_off(state, point):
    state.counts[state.stones[point]] -= 1
    lift_stone(state, point)
    state.rive_groups[point] = NO_GROUP
    state.largest_beside[point] = state.lowest  # recomputed when the capture ends
    state.choice_count = take_out(state.choices, state.place_in_choices, state.choice_count, point)


def _end_capture(board, state):
    """Make one group of the remaining stones, and update the cells that were playable or emptied."""
    name = state.choices[0]
    before = state.choices[state.choice_count - 1]
    for i in range(state.choice_count):
        point = state.choices[i]
        state.rive_groups[point] = name
        state.next_in_group[before] = point
        before = point
    state.group_sizes[name] = state.choice_count
    state.group_holes[name] = state.holes
    state.shrinking = NOWHERE
    for i in range(state.empty_count):
        point = state.empties[i]
        if state.largest_beside[point] == state.lowest:
            state.largest_beside[point] = largest_group_around(board, state, point)
    _list_placements(state)


def is_shrinking(state, point):
    """Whether a point belongs to the shrinking group."""
    place = state.place_in_choices[point]
    return place < state.choice_count and state.choices[place] == point
