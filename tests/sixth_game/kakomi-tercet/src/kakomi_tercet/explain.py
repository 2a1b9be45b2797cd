"""Explanations of Tercet in words and marks."""

from kakomi.core import Position
from kakomi.draw import Mark, Overlay
from kakomi_tercet import rules


def why_illegal(position: Position, action: int) -> str:
    """Return why an action is illegal, in one sentence."""
    kind = position.game.actions[action].kind
    if position.state["tercet_placed"] == rules.NOTHING:
        return "a turn begins with a stone on an empty point"
    if kind == "place":
        return "one stone a turn: remove a flanked stone or end the turn"
    return "only a stone between the one just placed and another of your own can be removed"


def expects(position: Position) -> str:
    """Return what the player to act does next."""
    if position.state["tercet_placed"] == rules.NOTHING:
        return "a stone on an empty point"
    return "a flanked stone to remove, or the end of the turn"


def account(position: Position) -> str:
    """Return what the score consists of."""
    names, removed = position.game.player_names, position.state["removed"].tolist()
    return ", ".join(
        f"{name} has {score - taken} stones on the board and removed {taken}"
        for name, score, taken in zip(names, position.scores(), removed, strict=True)
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Mark the stones that can be removed now."""
    stones = position.stones()
    actions = [position.game.actions[action] for action in position.legal_actions()]
    flanked = [str(action.point) for action in actions if action.kind == "remove"]
    marks = tuple(Mark("cross", name, stones[name], "can be removed") for name in flanked)
    return (Overlay("flanked", "Flanked: can be removed now", marks),)
