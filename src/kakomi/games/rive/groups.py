"""Rive's groups: connected stones of both colours, with their sizes and the number of holes they enclose.

A group's name is one of its stones; a circular list links its stones. When a stone is placed or removed, its
six neighbours alone determine how the number of holes changes (Euler's formula on the triangular lattice:
stones - pairs + triangles = 1 - holes). In a group without holes, the arcs round a stone are connected only
through it. In a group with holes, following the outline decides.
"""

import numpy as np

from kakomi.kernel.bits import LOWEST_BIT

MAX_SIZE = 8
MAX_POINTS = 3 * MAX_SIZE * (MAX_SIZE - 1) + 1
OUTSIDE = MAX_POINTS  # one point for everything beyond the edge
NO_GROUP = MAX_POINTS  # the group of all points without a stone; its size is 0


def _arc_starts(mask: int) -> int:
    """Return the mask of the first direction, clockwise, of each arc of stones among six neighbours."""
    return sum(1 << k for k in range(6) if mask >> k & 1 and not mask >> (k + 5) % 6 & 1)


_FULL_RING = 63
ARC_STARTS = np.array([_arc_starts(mask) for mask in range(64)])
ARCS = np.array([_arc_starts(mask).bit_count() for mask in range(64)])  # a full ring has none
_CLOCKWISE = np.array([1, 2, 3, 4, 5, 0])
_COUNTERCLOCKWISE = np.array([5, 0, 1, 2, 3, 4])
_OPPOSITE = np.array([3, 4, 5, 0, 1, 2])


def stones_around(board, state, point):
    """Return a mask whose bit k is set if there is a stone in direction k."""
    mask = 0
    for k in range(6):
        mask |= int(state.rive_groups[board.around[point, k]] != NO_GROUP) << k
    return mask


def list_groups_around(board, state, scratch, point, neighbours):
    """Write the groups that touch a point into `scratch.joined`; return their number, at most 3."""
    starts = 1 if neighbours == _FULL_RING else ARC_STARTS[neighbours]
    n = 0
    while starts:
        group = state.rive_groups[board.around[point, LOWEST_BIT[starts]]]
        starts &= starts - 1
        known = False
        for i in range(n):
            known |= scratch.joined[i] == group
        if not known:
            scratch.joined[n] = group
            n += 1
    return n


def largest_group_around(board, state, point):
    """Return the size of the largest group that touches a point."""
    largest = 0
    for k in range(6):
        largest = max(largest, int(state.group_sizes[state.rive_groups[board.around[point, k]]]))
    return largest


def touches(board, state, point, group):
    """Whether a stone of a group is beside a point."""
    found = False
    for k in range(6):
        found |= state.rive_groups[board.around[point, k]] == group
    return found


def found_group(state, point):
    """Make a group of a single stone."""
    state.rive_groups[point] = point
    state.next_in_group[point] = point
    state.group_sizes[point] = 1
    state.group_holes[point] = 0


def join_group(state, point, group, arcs):
    """Add a stone to a group that touches it in `arcs` arcs. Each arc but one closes off a hole; with no arc,
    all six neighbours are stones, and the new stone fills a hole."""
    state.rive_groups[point] = group
    state.next_in_group[point] = state.next_in_group[group]
    state.next_in_group[group] = point
    state.group_sizes[group] += 1
    state.group_holes[group] += arcs - 1


def merge_around(board, state, scratch, point):
    """Merge a stone and the groups that it touches."""
    neighbours = stones_around(board, state, point)
    joined = list_groups_around(board, state, scratch, point, neighbours)
    if joined == 0:
        found_group(state, point)
        return
    join_group(state, point, scratch.joined[0], ARCS[neighbours] - (joined - 1))
    for i in range(1, joined):
        _merge(state, scratch.joined[0], scratch.joined[i])


def _merge(state, group, other):
    member = other
    for _ in range(state.group_sizes[other]):
        state.rive_groups[member] = group
        member = state.next_in_group[member]
    after = state.next_in_group[group]
    state.next_in_group[group] = state.next_in_group[other]
    state.next_in_group[other] = after
    state.group_sizes[group] += state.group_sizes[other]
    state.group_holes[group] += state.group_holes[other]


def is_whole_without(board, state, point, holes):
    """Whether a group with this many holes stays connected without the stone on a point."""
    neighbours = stones_around(board, state, point)
    gaps = ARCS[neighbours]
    if gaps <= 1 or holes == 0:
        return gaps <= 1
    starts = ARC_STARTS[neighbours]
    while gaps > 1:  # when all gaps but one are bridged, all arcs are connected
        if not _is_bridged(board, state, point, LOWEST_BIT[starts]):
            return False
        starts &= starts - 1
        gaps -= 1
    return True


def _is_bridged(board, state, point, start):
    """Whether the arc of neighbours that starts in a direction is connected to the arc before it without the
    stone itself: then the outline, followed from the gap, leads from one to the other."""
    end = _COUNTERCLOCKWISE[start]
    while state.rive_groups[board.around[point, end]] == NO_GROUP:
        end = _COUNTERCLOCKWISE[end]
    heading = end
    at = board.around[point, heading]
    while at != point:
        heading = _CLOCKWISE[heading]
        while state.rive_groups[board.around[at, heading]] == NO_GROUP:
            heading = _COUNTERCLOCKWISE[heading]
        at = board.around[at, heading]
    return heading == _OPPOSITE[start]
