"""Reversi in words."""

from kakomi.core import Position
from kakomi.core.position import stones_in_words as account
from kakomi.draw import Overlay

__all__ = ["account", "expects", "overlays", "why_illegal"]


def why_illegal(position: Position, action: int) -> str:
    """Return why an action is illegal, in one sentence."""
    if action == position.game.geometry.points:
        return "a pass is only for players who can't place a stone"
    if position.game.geometry.names[action] in position.stones():
        return "there is a stone on that square already"
    return "a stone there would flip nothing"


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    can_only_pass = position.legal_actions() == [position.game.geometry.points]
    return "a pass, as no stone would flip any" if can_only_pass else "a stone that flips at least one other"


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Return no overlays: what matters can be seen."""
    del position
    return ()
