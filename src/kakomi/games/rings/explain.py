"""Rings in words and marks: why an action is forbidden, who has which circles, and with what influence."""

from collections.abc import Iterator

from kakomi.core import Action, Position
from kakomi.draw import Mark, Overlay
from kakomi.games.rings.rules import FULL, NOBODY


def why_illegal(position: Position, action: int) -> str:
    """The wrong part of the turn, a stone in the way, no majority, or nothing to convert."""
    wanted = position.game.actions[action]
    if position.state["converting"]:
        return _why_not_in_second_part(position, wanted)
    if wanted.kind == "place":
        return "there is a stone on that point already, and stones go on empty points (RULES G5)"
    return "a turn begins with a stone on an empty point or a pass (RULES G5)"


def _why_not_in_second_part(position: Position, wanted: Action) -> str:
    if wanted.kind != "convert":
        return "this turn's stone or pass is done already: convert a circle or end the turn (RULES G5)"
    circle = _circle(position, wanted.cell)
    player = position.to_move
    name = position.game.player_names[player]
    influence, needed = _influence(position, player, circle), _needed(position, circle)
    if influence < needed:
        return (
            f"{name} has {influence} influence on {wanted.cell} "
            f"of the {needed} needed for the majority (RULES G4)"
        )
    if position.state["occupied"][circle] == position.state["own"][player, circle]:
        return f"no opponent has a stone in {wanted.cell} to convert (RULES G5)"
    return f"the opposing stones in {wanted.cell} are all safe in rings (RULES G3)"


def expects(position: Position) -> str:
    """What the player to act does next."""
    if not position.state["converting"]:
        return "a stone on an empty point, or a pass"
    count = int(position.state["convertible_count"][position.to_move])
    return f"a conversion ({count} circle{'s' if count > 1 else ''} to choose from), or the end of the turn"


def account(position: Position) -> str:
    """What the score is made of."""
    scores = position.scores()
    have = [f"{name} {score}" for name, score in zip(position.game.player_names, scores, strict=True)]
    nobody = len(position.game.geometry.cells) - sum(scores)
    return f"circles with the majority: {', '.join(have)}; nobody has it in {nobody}"


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Rings, majorities, and the influence of the player to act (RULES G3, G4)."""
    name = position.game.player_names[position.to_move]
    return (
        Overlay("rings", "Rings: their stones are safe for good", tuple(_rings(position))),
        Overlay("majority", "Majority: circles that count", tuple(_majorities(position))),
        Overlay("influence", f"Influence of {name}, of the needed", tuple(_influences(position))),
    )


def _rings(position: Position) -> Iterator[Mark]:
    own = position.state["own"]
    for circle, cell in enumerate(position.game.geometry.cells):
        for player, name in enumerate(position.game.player_names):
            if own[player, circle] == FULL:
                yield Mark("ring", cell.name, player, f"{name}'s ring")


def _majorities(position: Position) -> Iterator[Mark]:
    for circle, cell in enumerate(position.game.geometry.cells):
        player = int(position.state["majority"][circle])
        if player != NOBODY:
            yield Mark("area", cell.name, player, f"{position.game.player_names[player]}'s majority")


def _influences(position: Position) -> Iterator[Mark]:
    player = position.to_move
    for circle, cell in enumerate(position.game.geometry.cells):
        if influence := _influence(position, player, circle):
            yield Mark("text", cell.name, player, f"{influence}/{_needed(position, circle)}")


def _circle(position: Position, name: str | None) -> int:
    return [cell.name for cell in position.game.geometry.cells].index(name or "")


def _influence(position: Position, player: int, circle: int) -> int:
    return int(position.state["influence"][player, circle])


def _needed(position: Position, circle: int) -> int:
    """The least influence that is a majority."""
    return int(position.state["shares"][circle]) // 2 + 1
