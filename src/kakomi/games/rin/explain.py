"""Rin in words and marks: why an action is forbidden, who is alive, what the score is made of."""

from kakomi.core import Position
from kakomi.core.i18n import gettext_noop as _
from kakomi.core.i18n import lazy_message, lazy_plural
from kakomi.draw import Mark, Overlay
from kakomi.kernel.contract import EMPTY


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


def account(position: Position) -> str:
    """What the score is made of."""
    black, white = position.scores()
    return lazy_plural(
        "Black has {count} stone on the board, White {white}",
        "Black has {count} stones on the board, White {white}",
        count=int(black),
        white=white,
    )


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Stones that can reach the safe zone, and stones that nothing can take (RULES R6)."""
    stones = position.stones()
    alive = [name for player in (0, 1) for name in _reaching(position, player, through_empty=True)]
    immune = [name for player in (0, 1) for name in _reaching(position, player, through_empty=False)]
    return (
        Overlay(
            "alive", _("Alive: can still reach the edge"), tuple(_marks("dot", alive, stones, _("alive")))
        ),
        Overlay("immune", _("Immune: can never be lost"), tuple(_marks("ring", immune, stones, _("immune")))),
    )


def _marks(kind: str, names: list[str], stones: dict[str, int], text: str) -> tuple[Mark, ...]:
    return tuple(Mark(kind, name, stones[name], text) for name in names)  # type: ignore[arg-type]


def _reaching(position: Position, player: int, *, through_empty: bool) -> list[str]:
    """A player's stones with a way to the safe zone through own stones, and empty points if asked."""
    geometry = position.game.geometry
    stones = position.state["stones"][: geometry.points].tolist()
    passable = {EMPTY, player} if through_empty else {player}
    passing = {point for point, stone in enumerate(stones) if stone in passable}
    waiting = [point for point in passing if len(geometry.neighbours[point]) < 4]  # RULES R2
    reached = set(waiting)
    while waiting:
        beside = passing.intersection(geometry.neighbours[waiting.pop()]) - reached
        reached |= beside
        waiting.extend(beside)
    return [geometry.names[point] for point in sorted(reached) if stones[point] == player]
