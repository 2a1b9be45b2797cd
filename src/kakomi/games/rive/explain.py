"""Rive in words and marks: where a stone may go and why, and which stones a capture may remove."""

from functools import partial
from typing import Any

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import LazyMessage, lazy_message, lazy_plural
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.marks import COUNTED, NOBODYS, MarkedPlaces, overlays_of, reason_for
from kakomi.core.position import stones_in_words as account
from kakomi.draw import Overlay
from kakomi.games.rive.groups import OUTSIDE
from kakomi.games.rive.rules import is_legal, is_shrinking
from kakomi.kernel import driver
from kakomi.kernel.records import EMPTY

__all__ = ["account", "achievements", "expects", "guide", "overlays", "why_illegal"]

REASONS = (
    _("remove 1 more stone from the joined group first (RULES V4)"),
    _("remove {count} more stones from the joined group first (RULES V4)"),
    _("there is already a stone on that cell (RULES V3)"),
    _("there is a stone next to it, and there are still cells with no stones next to them (RULES V3)"),
    _("a group of {count} is next to it, and there are still cells with no stones next to them (RULES V3)"),
    _(
        "a group of {count} is next to it, "
        "and there are still cells next to groups of at most {needed} (RULES V3)"
    ),
    _("there is nothing to remove: stones are removed only after a stone joins groups (RULES V4)"),
    _("there is no stone on that cell"),
    _("that stone isn't in the joined group (RULES V4)"),
    _("removing that stone would split the group (RULES V5)"),
)


@driver
def find_reason(boards: Any, states: Any, scratches: Any, action: Any, numbers: Any) -> Any:
    """Return why: a removal is due, or a placement, or RULES V3 to V5 forbid it."""
    board, state = boards[0], states[0]
    point = action - board.points
    if point >= 0:
        if state.excess == 0:
            return 6
        if state.stones[point] == EMPTY:
            return 7
        return 9 if is_shrinking(state, point) else 8
    if state.excess > 0:
        numbers[0] = state.excess
        return 0 if state.excess == 1 else 1
    if state.stones[action] != EMPTY:
        return 2
    numbers[0] = _largest_beside(board, state, action)
    numbers[1] = state.lowest
    if state.lowest > 0:
        return 5
    return 3 if numbers[0] == 1 else 4


why_illegal = partial(reason_for, find_reason=find_reason, reasons=REASONS)


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    excess = int(position.state["excess"])
    if excess:
        return lazy_plural(
            "remove 1 stone from the joined group",
            "remove {count} stones from the joined group, one at a time",
            count=excess,
        )
    cells = len(position.legal_actions())
    if position.turn:
        return lazy_plural(
            "place another stone for the capture, on the only open cell",
            "place another stone for the capture, on one of {count} open cells",
            count=cells,
        )
    return lazy_plural(
        "place a stone on the only open cell", "place a stone on one of {count} open cells", count=cells
    )


def guide(position: Position) -> Guidance:
    """Return advice on removals, on the stone after a capture, or on how large a touched group may be."""
    if position.state["excess"]:
        return Guidance(lazy_message("Remove enemy stones first: the crosses show which you can take."), "V4")
    if position.turn:
        return Guidance(lazy_message("You captured, so you play again."), "V6")
    lowest = int(position.state["lowest"])
    if not lowest:
        return Guidance(
            lazy_message("Play on a dotted cell: cells with no stone next to them come first."), "V3"
        )
    return Guidance(
        lazy_plural(
            "Play on a dotted cell, next to single stones at most. Joining two groups captures.",
            "Play on a dotted cell, next to groups of up to {count}. Joining two captures.",
            count=lowest,
        ),
        "V3",
    )


def achievements(before: Position, action: int, after: Position) -> list[LazyMessage]:
    """Return the stone that a removal takes: an opponent's, or one's own (RULES V4)."""
    del after
    removed = before.stones().get(str(before.game.actions[action].point))
    own = int(removed == before.to_move)
    return [
        lazy_plural(
            "{count} stone captured", "{count} stones captured", count=int(removed is not None) - own
        ),
        lazy_plural("{count} own stone removed", "{count} own stones removed", count=own),
    ]


MARKED = (
    MarkedPlaces(_("groups"), _("Size of each stone's group"), "text"),
    MarkedPlaces(_("beside"), _("Size of the largest group next to each empty cell"), "text"),
    MarkedPlaces(
        "capture", _("Stones that can be removed now"), "cross", _("can be removed"), for_newcomers=True
    ),
)


@driver
def mark_places(boards: Any, states: Any, successors: Any, scratches: Any, marks: Any) -> None:
    """Mark the size of each group, the largest size beside each empty cell, and the stones that a capture may
    remove (RULES V2, V3, V5)."""
    board, state = boards[0], states[0]
    for point in range(board.points):
        for overlay in range(3):
            marks[overlay, point] = 0
        if state.stones[point] != EMPTY:
            marks[0, point] = int(state.stones[point]) + 1 + COUNTED * _group_size(state, point)
        else:
            marks[1, point] = NOBODYS + COUNTED * _largest_beside(board, state, point)
        if state.excess > 0 and is_legal(board, state, scratches[0], board.points + point):
            marks[2, point] = state.stones[point] + 1


def _group_size(state: Any, point: Any) -> Any:
    """Return the size of a stone's group (RULES V2); the groups that a capture joins are listed apart."""
    if state.excess > 0 and is_shrinking(state, point):
        return int(state.choice_count)
    return int(state.group_sizes[state.rive_groups[point]])


def _largest_beside(board: Any, state: Any, point: Any) -> Any:
    """Return the size of the largest group that touches an empty cell."""
    if state.excess == 0:
        return int(state.largest_beside[point])
    largest = 0
    for k in range(6):
        beside = board.around[point, k]
        if beside != OUTSIDE and state.stones[beside] != EMPTY:
            largest = max(largest, _group_size(state, beside))
    return largest


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of `mark_places`."""
    return overlays_of(position, mark_places, MARKED)
