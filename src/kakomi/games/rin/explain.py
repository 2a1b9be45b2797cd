"""Rin in words and marks: why an action is forbidden, who is alive, what the score is made of."""

from kakomi.core import Position
from kakomi.draw import Mark, Overlay


def why_illegal(position: Position, action: int) -> str:
    """The only way to be forbidden in Rin is to be taken."""
    del position, action
    return "there is a stone on that point already, and stones go on unoccupied points (RULES R4)"


def expects(position: Position) -> str:
    """What the player to act does next."""
    if position.ply == 0:
        return "one stone (the first turn is a single stone)"
    if position.state["left_in_turn"] == 2:
        return "the first of two stones"
    return "the second of two stones"


def account(position: Position) -> str:
    """What the score is made of."""
    black, white = position.scores()
    return f"Black has {black} stones on the board, White {white}"


def overlays(position: Position) -> tuple[Overlay, ...]:
    """Stones that can reach the safe zone, and stones that nothing can take (RULES R6)."""
    stones = position.stones()
    alive = [name for player in (0, 1) for name in _reaching(position, player, through_empty=True)]
    immune = [name for player in (0, 1) for name in _reaching(position, player, through_empty=False)]
    return (
        Overlay("alive", "Alive: can still reach the edge", tuple(_marks("dot", alive, stones, "alive"))),
        Overlay("immune", "Immune: can never be lost", tuple(_marks("ring", immune, stones, "immune"))),
    )


def _marks(kind: str, names: list[str], stones: dict[str, int], text: str) -> list[Mark]:
    return [Mark(kind, name, stones[name], text) for name in names]  # type: ignore[arg-type]


def _reaching(position: Position, player: int, *, through_empty: bool) -> list[str]:
    """A player's stones with a way to the safe zone through own stones, and empty points if asked."""
    geometry, stones = position.game.geometry, position.stones()
    passable = {None, player} if through_empty else {player}
    open_points = [point for point, name in enumerate(geometry.names) if stones.get(name) in passable]
    reached = {point for point in open_points if len(geometry.neighbours[point]) < 4}  # RULES R2
    waiting = list(reached)
    open_set = set(open_points)
    while waiting:
        for beside in geometry.neighbours[waiting.pop()]:
            if beside in open_set and beside not in reached:
                reached.add(beside)
                waiting.append(beside)
    return [geometry.names[point] for point in sorted(reached) if stones.get(geometry.names[point]) == player]
