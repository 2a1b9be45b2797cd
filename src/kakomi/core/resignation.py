"""What a resignation does to a game (RULES G8): one reading for matches and records."""

from collections.abc import Collection

from kakomi.core.game import Game
from kakomi.core.position import Position

_IDLE = ("end", "pass")


def ends_game(game: Game, resigned: Collection[int]) -> bool:
    """Whether these resignations end the game: one player is left, or the game has no passes that could
    stand for those who have left."""
    if not resigned:
        return False
    return len(resigned) >= game.players - 1 or not any(action.kind == "pass" for action in game.actions)


def idle_actions(position: Position) -> list[int]:
    """The legal actions that change least: the end of a turn, then a pass; none where there is neither."""
    actions = position.game.actions
    return [number for kind in _IDLE for number in position.legal_actions() if actions[number].kind == kind]
