"""A position, as the API tells it."""

from ninja import Schema

from kakomi.core import Position


class PositionOut(Schema):
    """The board of the current game. `turn` has the actions of an unfinished turn."""

    ply: int
    to_move: int
    is_over: bool
    stones: dict[str, int]
    scores: list[float]
    turn: list[str]
    previous_turn: list[str]
    legal: list[str]


def position_out(position: Position) -> PositionOut:
    """What a program is told of a position."""
    texts = position.game.action_texts
    return PositionOut(
        ply=position.ply,
        to_move=position.to_move,
        is_over=position.is_over,
        stones=position.stones(),
        scores=list(position.scores()),
        turn=[texts[action] for action in position.turn],
        previous_turn=[texts[action] for action in position.previous_turn],
        legal=position.legal(),
    )
