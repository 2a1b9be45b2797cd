"""Rin in words and marks: why an action is forbidden, who is alive, what the score is made of."""

from kakomi.core import Position
from kakomi.core.guidance import Guidance
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message
from kakomi.core.position import stones_in_words as account
from kakomi.draw import Mark, Overlay
from kakomi.kernel.records import EMPTY

__all__ = ["account", "expects", "guide", "overlays", "why_illegal"]


def why_illegal(position: Position, action: int) -> str:
    """The only way to be forbidden in Rin is to be taken."""
    del position, action
    return lazy_message(
        "there is a stone on that point already, and stones go on unoccupied points (RULES R4)"
    )


def expects(position: Position) -> str:
    """What the player to act does next."""
    if not position.stones():
        return lazy_message("one stone (the first turn is a single stone)")
    if position.state["left_in_turn"] == 2:
        return lazy_message("the first of two stones")
    return lazy_message("the second of two stones")


def guide(position: Position) -> Guidance:
    """The first stone, or a ring to close."""
    if not position.stones():
        return Guidance(lazy_message("Begin with one stone; from then on everybody puts two."), "R1")
    if position.state["left_in_turn"] == 1 and len(position.previous_turn) == 1:
        return Guidance(lazy_message("One stone more. What is linked to the edge can never be lost."), "R6")
    return Guidance(
        lazy_message("Close a ring round enemy stones, away from the edge: all inside becomes yours."), "R3"
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Stones that can reach the safe zone, and stones that nothing can take (RULES R6)."""
    stones = position.stones()
    alive = [Mark("dot", name, stones[name], _("alive")) for name in _linked(position, {EMPTY})]
    immune = [Mark("ring", name, stones[name], _("immune")) for name in _linked(position, set())]
    return (
        Overlay("alive", _("Alive: can still reach the edge"), tuple(alive)),
        Overlay("immune", _("Immune: can never be lost"), tuple(immune), for_newcomers=True),
    )


def _linked(position: Position, others: set[int]) -> list[str]:
    """The stones with a way to the safe zone through stones of their colour, and over what else may be."""
    geometry = position.game.geometry
    stones = position.state["stones"][: geometry.points].tolist()
    edge = [point for point in range(geometry.points) if len(geometry.neighbours[point]) < 4]  # RULES R2
    found = []
    for player in (0, 1):
        passable = {point for point, stone in enumerate(stones) if stone in {player, *others}}
        reached = geometry.reached(edge, passable)
        found += [geometry.names[point] for point in sorted(reached) if stones[point] == player]
    return found
