"""Lines of play as turns."""

from collections.abc import Sequence

from kakomi.core import Position
from kakomi.records import Turn

LONGEST = 10
"""Actions of a line that anybody is shown: further on a search has hardly looked."""


def turns_of(start: Position, actions: Sequence[int]) -> list[Turn]:
    """The turns that actions from a position on make up, with what was played of the first one before.

    At most `LONGEST` actions are taken, and a turn that they leave unfinished only if it is the first.
    """
    turns: list[Turn] = []
    played = list(start.turn)
    position = start
    for action in actions[:LONGEST]:
        player = position.to_move
        position = position.play_action(action)
        played.append(action)
        if not position.turn:
            turns.append(_turn(start, player, played))
            played = []
    return turns or [_turn(start, start.to_move, played)]


def _turn(position: Position, player: int, actions: Sequence[int]) -> Turn:
    return Turn(player=player, actions=tuple(position.game.action_texts[action] for action in actions))
