"""Schemas of the tables' API."""

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import ConfigDict, Field

from kakomi import catalog
from kakomi.core.option import resolve
from kakomi.server.api.positions import PositionOut
from kakomi.server.api.schemas import Number, ShortText, Strict
from kakomi.server.tables.clock_texts import LONGEST_TEXT, parse_time_control
from kakomi.server.tables.commands import Confirm, Submission, WishListing, logged_command
from kakomi.server.tables.forms import LONGEST_POSITION
from kakomi.server.tables.table_request import SeatAssignment, TableRequest, levels_for
from kakomi.session import Phase, Refused
from kakomi.session.events import OfferKind
from kakomi.session.match import EndReason
from kakomi.session.time_control import ClockKind, Pace

Sitter = Annotated[str, Field(pattern=r"^(me|beside|friend|[1-9][0-9]?)$")]
"""Levels are those of the game (`levels_for`)."""
Leavers = Annotated[str, Field(pattern=r"^([1-9]|10)?$")]
"""The level of the bot that goes on for who leaves; empty: their seat passes."""


class TableIn(Strict):
    """A table to open."""

    game: ShortText
    options: Annotated[
        dict[Annotated[str, Field(max_length=40)], Number], Field(max_length=20, default_factory=dict)
    ]
    seats: Annotated[list[Sitter], Field(min_length=2, max_length=12)]
    is_match: bool = False
    is_rated: bool = False
    negotiate: bool = False
    swap: bool = False
    clock: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    leavers: Leavers = ""
    position: Annotated[str, Field(max_length=LONGEST_POSITION)] = ""
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "rin", "options": {"size": 8}, "seats": ["me", "3"]}]},
    )

    def table_request(self) -> TableRequest:
        """The request for a table. Raises Refused, saying what is wrong with it."""
        if self.game not in catalog.names():
            raise Refused(f"there is no game {self.game!r}; there are: {', '.join(catalog.names())}")
        description = catalog.describe(self.game)
        try:
            options = resolve(self.game, description.options, self.options)
            seats = [SeatAssignment.parse(seat, levels_for(description)) for seat in self.seats]
        except ValueError as error:
            raise Refused(str(error)) from None
        request = TableRequest.of(
            description,
            options,
            seats,
            is_match=self.is_match,
            negotiate=self.negotiate,
            swap=self.swap,
            control=parse_time_control(self.clock),
            position=self.position,
            leavers=self.leavers,
            is_rated=self.is_rated,
        )
        if len(self.seats) != request.game.players:
            raise Refused(f"this game needs {request.game.players} seats, not {len(self.seats)}")
        return request


class ActIn(Strict):
    """Something to do at a table. `base` is how many entries the sender has seen, `key` their name for this
    command: sent again under the same key it is not done again."""

    kind: Literal[
        "play",
        "komi",
        "colour",
        "swap",
        "resign",
        "offer",
        "accept",
        "decline",
        "withdraw",
        "takeback",
        "abort",
        "list",
        "unlist",
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

    def submission(self) -> Submission:
        """The command. Raises Refused for a value that the kind can't have."""
        if self.kind == "play":
            return Submission(Confirm(tuple(str(self.value or "").split())), self.base, self.key)
        if self.kind in ("list", "unlist"):
            return Submission(WishListing(self.kind == "list"), self.base, self.key)
        return Submission(logged_command(self.kind, self.value), self.base, self.key)


class SeatOut(Schema):
    """A place at a table."""

    number: int
    name: str
    bot: str
    is_free: bool
    person: str | None
    """The name of the account; null for bots of the site, and guests without an account."""
    is_program: bool
    """Whether it is a bot account, for which a program plays."""
    is_yours: bool
    player: int | None
    has_resigned: bool
    invitation: str | None


class ClockOut(Schema):
    """Seconds: how time is given, and what every seat had left when this was answered."""

    kind: ClockKind
    pace: Pace
    initial: float
    increment: float
    cap: float
    periods: int
    remaining: list[float]
    running: int | None
    deadline: float | None
    """When the running clock runs out, in seconds since the epoch."""
    stands_until: float | None
    """When it goes on, if it stands still now: in a rest, or in a pause."""


class OfferOut(Schema):
    """An offer, with the seats that have to answer."""

    kind: OfferKind
    seat: int
    waiting: list[int]


class EndingOut(Schema):
    """The result of a match."""

    reason: EndReason
    winners: list[int]
    points: list[float]


class EntryOut(Schema):
    """One line of a table's log."""

    number: int
    seat: int | None
    kind: str
    value: int | str | None
    at: float


class ListedSeatOut(Schema):
    """A player of a listed game. `share` is their share of the win; null while the game goes on."""

    name: str
    bot: str
    share: float | None


class ListedTableOut(Schema):
    """A listed game in a few words."""

    code: str
    game: str
    options: dict[str, int]
    seats: list[ListedSeatOut]
    is_over: bool
    plies: int
    listed_at: datetime
    changed_at: datetime


class ListedTablesOut(Schema):
    """A page of the list, newest first. `older` is the next page's `before`; null at the end."""

    tables: list[ListedTableOut]
    older: str | None


class OwnTableOut(Schema):
    """A game of one's own that goes on. Moments are seconds since the epoch."""

    code: str
    game: str
    options: dict[str, int]
    own: list[int]
    """The seats that are yours."""
    to_act: int | None
    is_your_turn: bool
    is_waiting: bool
    """For somebody to sit down: nobody can act before."""
    entries: int
    pace: str
    """`live`, `days`, or empty without a clock."""
    due_at: float | None


class OwnTablesOut(Schema):
    """A page of one's running games, newest first. `older` is the next page's `before`; null at the end."""

    tables: list[OwnTableOut]
    older: str | None


class TournamentOfTable(Schema):
    """The tournament that a game is part of."""

    code: str
    name: str
    round: int


class TableOut(Schema):
    """A table as the requesting guest sees it."""

    code: str
    number: int
    """By which mails name it."""
    game: str
    options: dict[str, int]
    entries: int
    phase: Phase
    is_listed: bool
    is_rated: bool
    tournament: TournamentOfTable | None
    to_act: int | None
    may: list[str]
    seats: list[SeatOut]
    position: PositionOut
    legs: int
    leg: int
    points: list[float]
    clock: ClockOut | None
    due_at: float | None
    offer: OfferOut | None
    ending: EndingOut | None
    log: list[EntryOut]
