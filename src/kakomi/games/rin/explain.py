"""Rin in words and marks: why an action is illegal, which stones are alive, and the score."""

from functools import partial
from typing import Any

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import LazyMessage, lazy_message, lazy_plural
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.marks import MarkedPlaces, overlays_of, reason_for
from kakomi.core.position import stones_in_words as account
from kakomi.draw import Overlay
from kakomi.kernel import driver
from kakomi.kernel.records import EMPTY

__all__ = ["account", "achievements", "expects", "guide", "overlays", "why_illegal"]

_REACHED = -1

REASONS = (_("there is already a stone on that point (RULES R4)"),)


@driver
def find_reason(boards: Any, states: Any, scratches: Any, action: Any, numbers: Any) -> Any:
    """Return the only reason there is in Rin: the point is occupied."""
    return 0


why_illegal = partial(reason_for, find_reason=find_reason, reasons=REASONS)


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    if not position.stones():
        return lazy_message("place one stone (the first turn is a single stone)")
    if position.state["left_in_turn"] == 2:
        return lazy_message("place the first of two stones")
    return lazy_message("place the second of two stones")


def guide(position: Position) -> Guidance:
    """Return advice for the first turns, later to close rings."""
    if not position.stones():
        return Guidance(lazy_message("Start with one stone. From then on, every turn is two stones."), "R1")
    if position.state["left_in_turn"] == 1 and len(position.previous_turn) == 1:
        return Guidance(lazy_message("One more stone. Stones linked to the edge can never be lost."), "R6")
    return Guidance(
        lazy_message("Close a ring around enemy stones, away from the edge: all inside becomes yours."), "R3"
    )


def achievements(before: Position, action: int, after: Position) -> list[LazyMessage]:
    """Return the rings that a stone closes, with what they capture and fill (RULES R3)."""
    geometry, stones, filled = before.game.geometry, before.stones(), after.stones()
    inside = {geometry.index[name] for name in filled if stones.get(name) != filled[name]} - {action}
    captured = sum(geometry.names[point] in stones for point in inside)
    regions, left = 0, set(inside)
    while left:
        regions, left = regions + 1, left - set(geometry.reached([min(left)], left))
    return [
        lazy_plural("{count} ring closed", "{count} rings closed", count=regions),
        lazy_plural("{count} stone captured", "{count} stones captured", count=captured),
        lazy_plural("{count} point filled", "{count} points filled", count=len(inside) - captured),
    ]


MARKED = (
    MarkedPlaces("alive", _("Alive: can still reach the edge"), "dot", _("alive")),
    MarkedPlaces("immune", _("Immune: can never be lost"), "ring", _("immune"), for_newcomers=True),
)


@driver
def mark_places(boards: Any, states: Any, successors: Any, scratches: Any, marks: Any) -> None:
    """Mark stones that can reach the safe zone, and stones that can never be lost (RULES R6)."""
    board, stones, reached = boards[0], states[0].stones, scratches[0].stack
    for point in range(board.points):
        marks[0, point] = 0
        marks[1, point] = 0
    for overlay in range(2):  # the first passes over empty points too
        for player in range(2):
            found = 0
            for point in range(board.points):
                is_passable = stones[point] == player or (overlay == 0 and stones[point] == EMPTY)
                if is_passable and board.safe[point]:
                    marks[overlay, point] = _REACHED
                    reached[found] = point
                    found += 1
            done = 0
            while done < found:
                for k in range(4):
                    beside = board.outwards[reached[done], k]
                    is_passable = stones[beside] == player or (overlay == 0 and stones[beside] == EMPTY)
                    if is_passable and marks[overlay, beside] == 0:
                        marks[overlay, beside] = _REACHED
                        reached[found] = beside
                        found += 1
                done += 1
            for i in range(found):
                marks[overlay, reached[i]] = player + 1 if stones[reached[i]] == player else 0


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the overlays of `mark_places`."""
    return overlays_of(position, mark_places, MARKED)
