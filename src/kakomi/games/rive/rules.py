"""Rive's rules (RULES V1-V8), by Mark Steere, 2010.

Who places beside a largest group of the smallest possible size m makes a group of m + 1 stones, with or
without a capture. So only cells whose largest neighbour was of size m can change theirs, and cells that
a capture emptied: the rest of the board keeps what is known about it.
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
    ("excess", np.int16),  # stones that a capture has yet to remove (RULES V4)
    ("shrinking", np.int16),  # first point of the group they are removed from, or NOWHERE
    ("holes", np.int16),  # of that group
    ("lowest", np.int16),  # size of the largest group beside any cell that may be played (RULES V3)
    ("choice_count", np.int16),
    ("counts", np.int16, 2),
    *empty_fields(MAX_POINTS),
    ("choices", np.uint8, MAX_POINTS),  # every legal placement, or in a capture the group that shrinks
    ("place_in_choices", np.uint8, MAX_POINTS),  # kept in a capture alone
    ("largest_beside", np.uint8, MAX_POINTS),  # of empty points: size of the largest group they touch
    ("rive_groups", np.uint8, MAX_POINTS + 1),  # of points; a group is named by one of its stones
    ("next_in_group", np.uint8, MAX_POINTS),  # the stones of a group, in a circle
    ("group_sizes", np.uint8, MAX_POINTS + 1),
    ("group_holes", np.int8, MAX_POINTS),
)
IDENTITY = ("stones", "to_move", "excess", "shrinking")
SCRATCH = scratch_record(MAX_POINTS, ("joined", np.int64, 3))  # the groups that a stone touches


def build_board(board: np.void, geometry: Geometry, options: Options) -> None:
    """Who is beside whom."""
    board["around"][: geometry.points] = geometry.around(SIX_AROUND, OUTSIDE)


def reset(board, state):
    """The empty board, Black to place."""
    clear_stones(board, state)
    _clear(board, state)
    state.to_move = 0
    state.excess = 0
    state.shrinking = NOWHERE
    for point in range(board.points):
        state.largest_beside[point] = 0
    _list_placements(state)


def restore(board, state, scratch):
    """The helper fields, from the stones and what a capture has yet to remove."""
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
    """No groups, nor stones of any."""
    for point in range(board.points):
        state.rive_groups[point] = NO_GROUP
    state.rive_groups[OUTSIDE] = NO_GROUP
    state.group_sizes[NO_GROUP] = 0
    state.counts[0] = 0
    state.counts[1] = 0


def is_legal(board, state, scratch, action):
    """Whether it is what is due, a placement or a removal, and agrees with RULES V3 or V5."""
    if state.excess == 0:
        if action >= board.points or state.stones[action] != EMPTY:
            return False
        return state.largest_beside[action] == state.lowest
    point = action - board.points
    return point >= 0 and is_shrinking(state, point) and is_whole_without(board, state, point, state.holes)


def sample(board, state, scratch, rng):
    """Any legal action: some stone of a group can always be removed, so draw until one can."""
    point = int(state.choices[below(rng, state.choice_count)])
    if state.excess == 0:
        return point
    while not is_whole_without(board, state, point, state.holes):
        point = int(state.choices[below(rng, state.choice_count)])
    return board.points + point


def play(board, state, scratch, action):
    """Place a stone, or remove one of a captured group."""
    if action < board.points:
        _place(board, state, scratch, action)
    else:
        _remove(board, state, action - board.points)


def over(board, state):
    """Whether the board is full and nothing is left to remove (RULES V7)."""
    return state.empty_count == 0 and state.excess == 0


def scores(board, state, out):
    """Stones on the board (RULES V7)."""
    out[0] = state.counts[0]
    out[1] = state.counts[1]


def _place(board, state, scratch, point):
    """RULES V3, V4, V6: after a capture the same player places again."""
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
    """A new group of one stone: of the cells that touched none, those beside it now do."""
    state.largest_beside[point] = 1
    for k in range(6):
        beside = board.around[point, k]
        if beside != OUTSIDE and state.largest_beside[beside] == 0:
            state.largest_beside[beside] = 1


def _touch_choices(board, state, group):
    """Of the cells that could be played, those beside a group that has grown touch a larger one."""
    for i in range(state.choice_count):
        point = state.choices[i]
        state.largest_beside[point] += int(touches(board, state, point, group))


def _keep_lowest_choices(state):
    """After a placement without capture no cell touches smaller groups than before."""
    n = 0
    for i in range(state.choice_count):
        point = state.choices[i]
        state.choices[n] = point
        n += int(state.largest_beside[point] == state.lowest)
    state.choice_count = n
    if n == 0:
        _list_placements(state)


def _list_placements(state):
    """The cells beside the smallest groups (RULES V3)."""
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
    """RULES V4: the joined groups and the stone between them are to shrink to `lowest` + 1 stones."""
    found_group(state, point)
    state.choice_count = 0
    state.holes = arcs - joined
    _shrink_group(state, point)
    for i in range(joined):
        _shrink_group(state, scratch.joined[i])
    state.excess = state.choice_count - state.lowest - 1
    state.shrinking = _first_choice(state)


def _resume_capture(board, state):
    """As `_begin_capture`, for a group that may have shrunk already."""
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
    """Add a group to the stones that may have to go."""
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
    """RULES V5: one stone goes; the last that has to go ends the capture."""
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
    state.largest_beside[point] = state.lowest  # to be found out when the capture is over
    state.choice_count = take_out(state.choices, state.place_in_choices, state.choice_count, point)


def _end_capture(board, state):
    """What is left is one group; the cells that could be played and the emptied ones are looked at again."""
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
    """Whether a point is of the group that shrinks."""
    place = state.place_in_choices[point]
    return place < state.choice_count and state.choices[place] == point
