"""The tables API: open a table, sit down, look, act, and download records."""

from datetime import datetime
from typing import Annotated, Literal

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi import catalog
from kakomi.records import write_json
from kakomi.server.accounts.auth import anyone, guests, optional_guest, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.site import clock
from kakomi.server.site.api import (
    GameName,
    Number,
    Place,
    PositionOut,
    ShortText,
    Strict,
    answers,
    position_out,
)
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import models, selectors, services
from kakomi.server.tables.clock_texts import LONGEST_TEXT, parse_time_control
from kakomi.server.tables.command_handlers import handle_table_command
from kakomi.server.tables.commands import Confirm, Submission, WishListing, logged_command
from kakomi.server.tables.deadlines import as_of
from kakomi.server.tables.extensions import game_context_of
from kakomi.server.tables.forms import LONGEST_POSITION
from kakomi.server.tables.listings import ListQuery
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.selectors import record_at
from kakomi.server.tables.summaries import GameSummary, ListedGame
from kakomi.server.tables.table_request import SeatAssignment, TableRequest, levels_for
from kakomi.server.tables.wording import public_names
from kakomi.session import Phase, Refused, Table, usual_terms
from kakomi.session.events import OfferKind
from kakomi.session.match import EndReason
from kakomi.session.time_control import ClockKind, Pace

Sitter = Annotated[str, Field(pattern=r"^(me|beside|friend|[1-9][0-9]?)$")]
"""The levels are those of the game (`levels_for`)."""
Leavers = Annotated[str, Field(pattern=r"^([1-9]|10)?$")]
"""The level of the bot that replaces a player who leaves; empty: their seat passes."""


class TermsIn(Strict):
    """The terms of a game."""

    game: ShortText
    options: Annotated[
        dict[Annotated[str, Field(max_length=40)], Number], Field(max_length=20, default_factory=dict)
    ]
    is_match: bool = False
    is_rated: bool = False
    negotiate: bool | None = None
    """Null: two people negotiate the komi, unless it is given; against bots it is the fair one."""
    swap: bool = False
    leavers: Leavers = ""


class TableIn(TermsIn):
    """A table to open."""

    seats: Annotated[list[Sitter], Field(min_length=2, max_length=12)]
    clock: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    position: Annotated[str, Field(max_length=LONGEST_POSITION)] = ""
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "rin", "options": {"size": 8}, "seats": ["me", "3"]}]},
    )

    def table_request(self) -> TableRequest:
        """Validate the request. Raises Refused with a message that says what is wrong."""
        if self.game not in catalog.names():
            raise Refused(f"there is no game {self.game!r}; there are: {', '.join(catalog.names())}")
        description = catalog.describe(self.game)
        try:
            seats = [SeatAssignment.parse(seat, levels_for(description)) for seat in self.seats]
            game, negotiate = usual_terms(
                description,
                self.options,
                negotiate=self.negotiate,
                has_bots=any(seat.bot for seat in seats),
                is_settled=self.swap or bool(self.position),
            )
        except ValueError as error:
            raise Refused(str(error)) from None
        request = TableRequest.of(
            description,
            game.options,
            seats,
            is_match=self.is_match,
            negotiate=negotiate,
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
    """A command at a table. `base` is the number of entries that the sender has seen. `key` makes the command
    idempotent: sent again under the same key, it isn't executed again."""

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
    """A seat at a table."""

    number: int
    name: str
    bot: str
    is_free: bool
    person: str | None
    """The account's name; null for the site's bots and guests without an account."""
    is_program: bool
    """Whether it is a bot account, played by a program."""
    is_yours: bool
    player: int | None
    has_resigned: bool
    invitation: str | None


class TimeControlOut(Schema):
    """A time control; durations are in seconds."""

    kind: ClockKind
    pace: Pace
    initial: float
    increment: float
    cap: float
    periods: int


class ClockOut(TimeControlOut):
    """The time control and, as of this response, the time left for every seat; all in seconds."""

    remaining: list[float]
    running: int | None
    deadline: float | None
    """When the running clock runs out, in seconds since the epoch."""
    stands_until: float | None
    """When the clock will run again if it is stopped now by a rest or a pause, in seconds since the epoch."""


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
    """A summary of a listed game."""

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
    """One of your running games. Times are seconds since the epoch."""

    code: str
    game: str
    options: dict[str, int]
    own: list[int]
    """The seats that are yours."""
    to_act: int | None
    is_your_turn: bool
    is_waiting: bool
    """Whether a seat is still free; nobody can act until it is taken."""
    entries: int
    pace: str
    """`live`, `days`, or empty without a clock."""
    due_at: float | None


class OwnTablesOut(Schema):
    """A page of your running games, newest first. `older` is the next page's `before`; null at the end."""

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
    """The table's number in mails."""
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


router = Router(tags=["tables"])

Code = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
"""The code of a table, or of an invitation."""
Since = Annotated[int, Query(ge=0, le=999_999_999, description="leave out so many entries of the log")]
LegNumber = Annotated[int, Query(ge=1, le=100, description="which game of a match")]

MOST_ENTRIES = 1_000
"""The most log entries in one response."""

MOST_OWN = 100
"""The most of a guest's own tables in one response."""

_KINDS = (
    *("komi", "colour", "play", "swap", "resign", "abort"),
    *("offer", "accept", "decline", "withdraw", "takeback"),
)


@router.post("/tables", auth=guests("play"), response=answers(TableOut, 201), url_name="tables")
def open_table(request: HttpRequest, wish: TableIn) -> Status[TableOut]:
    """Open a table. Each seat is `me`, `beside` (somebody at the same screen), `friend` (somebody who gets
    the seat's invitation) or a bot's level, `1` to `10`, in some games more. `clock` is, for example, `5+3`
    (minutes, and seconds more each turn) or `30` (seconds for each turn)."""
    guest = required_guest(request)
    row = services.open_table(wish.table_request(), guest)
    return Status(201, _shown(row, guest))


@router.get("/tables", auth=anyone("read"), response=answers(ListedTablesOut), url_name="listed_tables")
def listed(request: HttpRequest, game: GameName = "", before: Place = "") -> ListedTablesOut:
    """The publicly listed games, newest first, 24 at a time."""
    page = selectors.listed_tables(ListQuery.of({"game": game, "before": before}))
    tables = [_listed(ListedGame.of(row)) for row in page.rows]
    return ListedTablesOut(tables=tables, older=str(page.older) if page.older else None)


@router.get("/me/tables", auth=guests("read"), response=answers(OwnTablesOut), url_name="my_tables")
def own(request: HttpRequest, before: Place = "") -> OwnTablesOut:
    """Your running games, and whose turn it is, so that a program finds them after a restart. The newest come
    first, 100 at a time."""
    guest, number = required_guest(request), whole_number(before, digits=18)
    if before and number is None:
        raise Http404("there is no such place in the list")
    rows = selectors.tables_of(guest, is_over=False).order_by("-pk")
    found = list(rows.filter(pk__lt=number)[: MOST_OWN + 1] if number else rows[: MOST_OWN + 1])
    tables = [_own(row, guest) for row in found[:MOST_OWN]]
    return OwnTablesOut(tables=tables, older=str(found[MOST_OWN - 1].pk) if found[MOST_OWN:] else None)


def _own(row: models.Table, guest: Guest) -> OwnTableOut:
    summary = GameSummary.of(row, guest)
    return OwnTableOut(
        code=row.code,
        game=row.game,
        options=dict(summary.game.options),
        own=sorted(summary.own),
        to_act=row.to_act,
        is_your_turn=summary.is_mine,
        is_waiting=summary.waits,
        entries=row.entries,
        pace=row.pace,
        due_at=row.due_at,
    )


@router.get("/tables/{code}", auth=anyone("read"), response=answers(TableOut), url_name="table")
def look(request: HttpRequest, code: Code, since: Since = 0) -> TableOut:
    """The current state of a table. Anybody with its code may watch."""
    return _shown(selectors.find_table(code), optional_guest(request), since)


@router.post("/tables/{code}/acts", auth=guests("play"), response=answers(TableOut), url_name="act")
def act(request: HttpRequest, code: Code, act: ActIn) -> TableOut:
    """Execute a command for your seat. `play` takes one action, or several actions of a turn separated by
    spaces; either all of them are played or none."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, required_guest(request))
    row, table = handle_table_command(row, viewer, act.submission())
    return table_out(row, table, viewer, act.base)


@router.post("/invitations/{invitation}", auth=guests("play"), response=answers(TableOut), url_name="join")
def join(request: HttpRequest, invitation: Code) -> TableOut:
    """Take the seat of an invitation."""
    seat = selectors.invited_seat(invitation)
    if seat is None:
        raise Http404("there is no such invitation")
    guest = required_guest(request)
    if seat.guest_id != guest.pk and not services.sit_down(seat, guest):
        raise Refused("somebody sits here already")
    return _shown(selectors.find_table(seat.table.code), guest)


@router.get("/tables/{code}/record", auth=anyone("read"), response=answers(dict), url_name="record")
def record(request: HttpRequest, code: Code, leg: LegNumber = 1) -> HttpResponse:
    """The record of a game, in the format of docs/records.md."""
    row = selectors.find_table(code)
    games = selectors.table_of(row).match.games
    if leg > len(games):
        raise Http404(f"the match has no game {leg} yet")
    data = write_json(record_at(row, games[leg - 1]))
    return HttpResponse(data, content_type="application/json")


def _shown(row: models.Table, guest: Guest | None, since: int = 0) -> TableOut:
    return table_out(row, selectors.table_of(row), Viewer.of(row, guest), since)


def table_out(row: models.Table, table: Table, viewer: Viewer, since: int = 0) -> TableOut:
    """A table's state, without the first `since` entries of its log."""
    match, game_context = table.match, game_context_of(row, table)
    return TableOut(
        code=row.code,
        number=row.number,
        game=match.config.game.name,
        options=dict(match.current_game.game.options),
        entries=row.entries,
        phase="over" if table.is_over else match.phase,
        is_listed=row.listed_at is not None,
        is_rated=row.is_rated,
        tournament=TournamentOfTable.from_orm(game_context) if game_context else None,
        to_act=table.to_act,
        may=_may(table, viewer),
        seats=[_seat(seat, table, viewer) for seat in viewer.seats],
        position=position_out(match.position),
        legs=match.config.games,
        leg=len(match.games),
        points=list(match.points()),
        clock=_clock(table),
        due_at=row.due_at,
        offer=OfferOut.from_orm(table.offer) if table.offer else None,
        ending=EndingOut.from_orm(table.ending) if table.ending else None,
        log=_log(table, since),
    )


def _listed(game: ListedGame) -> ListedTableOut:
    row, names = game.row, public_names(game.seats)
    assert row.listed_at is not None
    return ListedTableOut(
        code=row.code,
        game=row.game,
        options=dict(game.game.options),
        seats=[
            ListedSeatOut(name=name, bot=seat.bot, share=seat.share)
            for name, seat in zip(names, game.seats, strict=True)
        ],
        is_over=row.is_over,
        plies=row.plies,
        listed_at=row.listed_at,
        changed_at=row.changed_at,
    )


def _may(table: Table, viewer: Viewer) -> list[str]:
    if viewer.free:
        return ["abort"] if viewer.is_player and table.may(viewer.own[0], "abort") else []
    return [kind for kind in _KINDS if any(table.may(seat, kind) for seat in viewer.playing(table))]


def _seat(seat: models.Seat, table: Table, viewer: Viewer) -> SeatOut:
    leg = table.match.current_game
    return SeatOut(
        number=seat.number,
        name=seat.name if seat.bot or not seat.guest else seat.guest.display_name,
        person=seat.guest.handle if seat.guest else None,
        is_program=seat.guest is not None and seat.guest.is_bot,
        bot=seat.bot,
        is_free=seat.is_free,
        is_yours=seat.number in viewer.own,
        player=leg.players[seat.number] if leg.players else None,
        has_resigned=seat.number in leg.resigned_seats,
        invitation=seat.invitation if seat.is_free and viewer.is_player else None,
    )


def _clock(table: Table) -> ClockOut | None:
    now = clock.now()
    table = as_of(table, now)
    if table.time is None or table.clock is None:
        return None
    return ClockOut(
        **TimeControlOut.from_orm(table.time).dict(),
        remaining=list(table.clock.remaining(now)),
        running=table.clock.running,
        deadline=table.clock.deadline,
        stands_until=table.clock.stands_until(now),
    )


def _log(table: Table, since: int) -> list[EntryOut]:
    return [
        EntryOut(number=number, seat=entry.seat, kind=entry.kind, value=entry.value, at=entry.at)
        for number, entry in enumerate(table.history[since : since + MOST_ENTRIES], since + 1)
    ]
