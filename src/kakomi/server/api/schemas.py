"""The common parts of the API's schemas, and a position."""

from typing import Annotated

from ninja import Query, Schema
from pydantic import ConfigDict, Field

from kakomi.core import Position

Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]
ShortText = Annotated[str, Field(max_length=40)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
"""The sender's: what comes again under the same key is done once."""
GameName = Annotated[
    str, Query(max_length=40, pattern=r"^[^\x00]*$", description="only games of this name")
]  # databases take NUL in no text
Place = Annotated[str, Query(max_length=40, description="the list after this place: `older` of another page")]


class Strict(Schema):
    """Input with known fields only: a misspelled field is an error."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """Why something was not done."""

    code: str
    message: str
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"code": "stale", "message": "the game has gone on meanwhile"}]}
    )


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
