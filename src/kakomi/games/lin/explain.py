"""Lin in words and marks: why an action is forbidden, whose the points are, what the score is made of."""

from kakomi.core import Position
from kakomi.draw import Mark, Overlay
from kakomi.games.lin.rules import CLOSED
from kakomi.kernel.contract import EMPTY


def why_illegal(position: Position, action: int) -> str:
    """A stone is there, or the point belongs to the enemy alone."""
    if position.state["stones"][action] != EMPTY:
        return "there is a stone on that point already, and stones go on empty points (RULES L3)"
    players = position.game.player_names
    own, enemy = players[position.to_move], players[1 - position.to_move]
    line = position.game.options["line"]
    return f"that point is {enemy}'s territory: {own} has no room for a line of {line} there (RULES L2, L3)"


def expects(position: Position) -> str:
    """What the player to act does next."""
    del position
    return "a stone on an empty point of a living domain of that colour"


def account(position: Position) -> str:
    """What the score is made of."""
    black, white = position.scores()
    komi, contested = position.game.options["komi"], len(_contested(position))
    parts = [f"Black's living domains have {black} points, White's {white - komi}"]
    if komi:
        parts.append(f"with komi {komi} White has {white}")
    if contested:
        parts.append(f"contested points, {contested} still, count for both")
    return "; ".join(parts)


def overlays(position: Position) -> tuple[Overlay, ...]:
    """The points of one colour alone, and those in living domains of both (RULES L4)."""
    names = position.game.geometry.names
    contested = _contested(position)
    territory = [
        Mark("area", names[point], player, f"{position.game.player_names[player]}'s territory")
        for player in (0, 1)
        for point in _living(position, player)
        if point not in contested
    ]
    disputed = [Mark("dot", names[point], None, "contested") for point in sorted(contested)]
    return (
        Overlay("territory", "Territory: in living domains of one colour alone", tuple(territory)),
        Overlay("contested", "Contested: in living domains of both colours", tuple(disputed)),
    )


def _living(position: Position, player: int) -> list[int]:
    """The points of a player's living domains: those where a stone may go, and those with one."""
    state = position.state
    return [
        point
        for point in range(position.game.geometry.points)
        if state["place_in_open"][player, point] != CLOSED or state["stones"][point] == player
    ]


def _contested(position: Position) -> set[int]:
    return set(_living(position, 0)) & set(_living(position, 1))
