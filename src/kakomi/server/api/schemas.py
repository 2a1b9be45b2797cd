"""What goes into the API and comes out of it."""

from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from kakomi.server.accounts.models import NAME_LENGTH
from kakomi.session import Phase, Reason
from kakomi.session.clock import ClockKind
from kakomi.session.offer import OfferKind

Number = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]
ShortText = Annotated[str, Field(max_length=40)]
Sitter = Annotated[str, Field(pattern=r"^(me|beside|friend|[1-9]|10)$")]


class Strict(Schema):
    """What comes in has no fields that we don't know: a slip of the pen is told and not ignored."""

    model_config = ConfigDict(extra="forbid")


class Problem(Schema):
    """Why something was not done."""

    code: str
    message: str
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"code": "stale", "message": "the game has gone on meanwhile"}]}
    )


class Allowed(Schema):
    """What an option may be: `least` to `most` by `step`, or, where they are not evenly spaced, `values`."""

    least: int
    most: int
    step: int = 1
    values: list[int] | None = None


class OptionOut(Schema):
    """One option, given the values of those before it."""

    name: str
    help: str
    default: int
    value: int
    allowed: Allowed
    presets: list[int]


class GameOut(Schema):
    """A game one can play."""

    name: str
    title: str
    summary: str
    author: str
    year: str
    credit: str
    players: list[str]
    has_draws: bool
    may_negotiate: bool
    match_games: int


class GameWithOptions(GameOut):
    """A game, and how it can be set up."""

    options: list[OptionOut]
    points: list[str]


class GuestIn(Strict):
    """Who one wants to be."""

    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "Ada's program"}]})


class GuestOut(Schema):
    """Who one is. The token is all it takes to be this guest: keep it."""

    token: str
    name: str


class TableIn(Strict):
    """A table to open."""

    game: ShortText
    options: Annotated[
        dict[Annotated[str, Field(max_length=40)], Number], Field(max_length=20, default_factory=dict)
    ]
    seats: Annotated[list[Sitter], Field(min_length=2, max_length=12)]
    is_match: bool = False
    negotiate: bool = False
    swap: bool = False
    clock: Annotated[str, Field(max_length=20)] = ""
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "rin", "options": {"size": 8}, "seats": ["me", "3"]}]},
    )


class ActIn(Strict):
    """Something to do at a table. `base` is how many entries the sender has seen, `key` their name for this
    deed: sent again under the same key it is not done again."""

    kind: Literal[
        "play", "komi", "colour", "swap", "resign", "offer", "accept", "decline", "withdraw", "takeback"
    ]
    value: Annotated[str, Field(max_length=2_000)] | Number | None = None
    base: Annotated[int, Field(ge=0, le=999_999_999, strict=True)]
    key: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{8,40}$")]
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"kind": "play", "value": "3,4", "base": 0, "key": "a-name-of-mine-1"}]
        },
    )


class SeatOut(Schema):
    """A place at a table."""

    number: int
    name: str
    bot: str
    is_free: bool
    is_yours: bool
    player: int | None
    has_resigned: bool
    invitation: str | None


class PositionOut(Schema):
    """The board of the game being played. `turn` is what has been played of a turn that goes on."""

    ply: int
    to_move: int
    is_over: bool
    stones: dict[str, int]
    scores: list[float]
    turn: list[str]
    previous_turn: list[str]
    legal: list[str]


class ClockOut(Schema):
    """Seconds: how time is given, and what every seat had left when this was answered."""

    kind: ClockKind
    initial: float
    increment: float
    remaining: list[float]
    running: int | None


class OfferOut(Schema):
    """What a seat asks, and whom."""

    kind: OfferKind
    seat: int
    waiting: list[int]


class EndingOut(Schema):
    """How a match ended."""

    reason: Reason
    winners: list[int]
    points: list[float]


class EntryOut(Schema):
    """One line of a table's log."""

    number: int
    seat: int | None
    kind: str
    value: int | str | None
    at: float


class TableOut(Schema):
    """A table as it stands, for whoever asks."""

    code: str
    game: str
    options: dict[str, int]
    entries: int
    phase: Phase
    to_act: int | None
    may: list[str]
    seats: list[SeatOut]
    position: PositionOut
    legs: int
    leg: int
    points: list[float]
    clock: ClockOut | None
    offer: OfferOut | None
    ending: EndingOut | None
    log: list[EntryOut]
