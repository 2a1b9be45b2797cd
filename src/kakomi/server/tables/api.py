"""Tables, for programs: open one, sit down, look, act, take the record home."""

from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from kakomi.records import write_json
from kakomi.server import clock
from kakomi.server.accounts.auth import anyone, asking_guest, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.positions import position_out
from kakomi.server.api.schemas import GameName, Place
from kakomi.server.listings import ListQuery
from kakomi.server.tables import models, schemas, selectors, services
from kakomi.server.tables.command_handlers import handle_command
from kakomi.server.tables.extensions import occasion_of
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.records import record_at
from kakomi.server.tables.summaries import GameSummary, ListedGame
from kakomi.server.tables.upkeep import as_of
from kakomi.server.tables.wording import public_names
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused, Table

router = Router(tags=["tables"])

Code = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
"""Of a table, or of an invitation."""
Since = Annotated[int, Query(ge=0, le=999_999_999, description="leave out so many entries of the log")]
LegNumber = Annotated[int, Query(ge=1, le=100, description="which game of a match")]

MOST_ENTRIES = 1_000
"""Of a log, in one answer."""

MOST_OWN = 100
"""Of one's own tables, in one answer."""

_KINDS = (
    *("komi", "colour", "play", "swap", "resign", "abort"),
    *("offer", "accept", "decline", "withdraw", "takeback"),
)


@router.post("/tables", auth=guests("play"), response=answers(schemas.TableOut, 201), url_name="tables")
def open_table(request: HttpRequest, wish: schemas.TableIn) -> Status[schemas.TableOut]:
    """Open a table. Seats are `me`, `beside` (someone at the same screen), `friend` (whoever gets the seat's
    invitation) or a bot's level, `1` to `10`, in some games more; `clock` is `5+3` (minutes, seconds a turn)
    or `30` (seconds for every turn)."""
    guest = asking_guest(request)
    row = services.open_table(wish.table_request(), guest)
    return Status(201, _shown(row, guest))


@router.get(
    "/tables", auth=anyone("read"), response=answers(schemas.ListedTablesOut), url_name="listed_tables"
)
def listed(request: HttpRequest, game: GameName = "", before: Place = "") -> schemas.ListedTablesOut:
    """The games that their players show to everybody, newest first, 24 at a time."""
    page = selectors.listed_tables(ListQuery.of({"game": game, "before": before}))
    tables = [_listed(ListedGame.of(row)) for row in page.rows]
    return schemas.ListedTablesOut(tables=tables, older=str(page.older) if page.older else None)


@router.get("/me/tables", auth=guests("read"), response=answers(schemas.OwnTablesOut), url_name="my_tables")
def own(request: HttpRequest, before: Place = "") -> schemas.OwnTablesOut:
    """One's own games that go on, and whose turn it is, so that a program finds them after a restart. Those
    that were opened last come first, 100 at a time."""
    guest, number = asking_guest(request), whole_number(before, digits=18)
    if before and number is None:
        raise Http404("there is no such place in the list")
    rows = selectors.tables_of(guest, is_over=False).order_by("-pk")
    found = list(rows.filter(pk__lt=number)[: MOST_OWN + 1] if number else rows[: MOST_OWN + 1])
    tables = [_own(row, guest) for row in found[:MOST_OWN]]
    return schemas.OwnTablesOut(
        tables=tables, older=str(found[MOST_OWN - 1].pk) if found[MOST_OWN:] else None
    )


def _own(row: models.Table, guest: Guest) -> schemas.OwnTableOut:
    summary = GameSummary.of(row, guest)
    return schemas.OwnTableOut(
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


@router.get("/tables/{code}", auth=anyone("read"), response=answers(schemas.TableOut), url_name="table")
def look(request: HttpRequest, code: Code, since: Since = 0) -> schemas.TableOut:
    """The current table. Everybody who knows its code may watch."""
    return _shown(selectors.find_table(code), guest_behind(request), since)


@router.post("/tables/{code}/acts", auth=guests("play"), response=answers(schemas.TableOut), url_name="act")
def act(request: HttpRequest, code: Code, act: schemas.ActIn) -> schemas.TableOut:
    """Do something for the seat that is yours and to act. `play` takes one action, or several of a turn with
    spaces between them; either all of them are played or none."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, asking_guest(request))
    row, table = handle_command(row, viewer, act.submission())
    return table_out(row, table, viewer, act.base)


@router.post(
    "/invitations/{invitation}", auth=guests("play"), response=answers(schemas.TableOut), url_name="join"
)
def join(request: HttpRequest, invitation: Code) -> schemas.TableOut:
    """Sit down in the seat that an invitation is for."""
    seat = selectors.invited_seat(invitation)
    if seat is None:
        raise Http404("there is no such invitation")
    guest = asking_guest(request)
    if seat.guest_id != guest.pk and not services.sit_down(seat, guest):
        raise Refused("somebody sits here already")
    return _shown(selectors.find_table(seat.table.code), guest)


@router.get("/tables/{code}/record", auth=anyone("read"), response=answers(dict), url_name="record")
def record(request: HttpRequest, code: Code, leg: LegNumber = 1) -> HttpResponse:
    """The record of a game, as docs/records.md describes it."""
    row = selectors.find_table(code)
    games = selectors.table_of(row).match.games
    if leg > len(games):
        raise Http404(f"the match has no game {leg} yet")
    data = write_json(record_at(row, games[leg - 1]))
    return HttpResponse(data, content_type="application/json")


def _shown(row: models.Table, guest: Guest | None, since: int = 0) -> schemas.TableOut:
    return table_out(row, selectors.table_of(row), Viewer.of(row, guest), since)


def table_out(row: models.Table, table: Table, viewer: Viewer, since: int = 0) -> schemas.TableOut:
    """A table, with the entries after the first `since`."""
    match, occasion = table.match, occasion_of(row, table)
    return schemas.TableOut(
        code=row.code,
        number=row.number,
        game=match.config.game.name,
        options=dict(match.current_game.game.options),
        entries=row.entries,
        phase="over" if table.is_over else match.phase,
        is_listed=row.listed_at is not None,
        is_rated=row.is_rated,
        tournament=schemas.TournamentOfTable.from_orm(occasion) if occasion else None,
        to_act=table.to_act,
        may=_may(table, viewer),
        seats=[_seat(seat, table, viewer) for seat in viewer.seats],
        position=position_out(match.position),
        legs=match.config.games,
        leg=len(match.games),
        points=list(match.points()),
        clock=_clock(table),
        due_at=row.due_at,
        offer=schemas.OfferOut.from_orm(table.offer) if table.offer else None,
        ending=schemas.EndingOut.from_orm(table.ending) if table.ending else None,
        log=_log(table, since),
    )


def _listed(game: ListedGame) -> schemas.ListedTableOut:
    row, names = game.row, public_names(game.seats)
    assert row.listed_at is not None
    return schemas.ListedTableOut(
        code=row.code,
        game=row.game,
        options=dict(game.game.options),
        seats=[
            schemas.ListedSeatOut(name=name, bot=seat.bot, share=seat.share)
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


def _seat(seat: models.Seat, table: Table, viewer: Viewer) -> schemas.SeatOut:
    leg = table.match.current_game
    return schemas.SeatOut(
        number=seat.number,
        name=seat.name if seat.bot or not seat.guest else seat.guest.called,
        person=seat.guest.handle if seat.guest else None,
        is_program=seat.guest is not None and seat.guest.is_bot,
        bot=seat.bot,
        is_free=seat.is_free,
        is_yours=seat.number in viewer.own,
        player=leg.players[seat.number] if leg.players else None,
        has_resigned=seat.number in leg.resigned_seats,
        invitation=seat.invitation if seat.is_free and viewer.is_player else None,
    )


def _clock(table: Table) -> schemas.ClockOut | None:
    now = clock.now()
    table = as_of(table, now)
    if table.time is None or table.clock is None:
        return None
    return schemas.ClockOut(
        kind=table.time.kind,
        pace=table.time.pace,
        initial=table.time.initial,
        increment=table.time.increment,
        cap=table.time.cap,
        periods=table.time.periods,
        remaining=list(table.clock.remaining(now)),
        running=table.clock.running,
        deadline=table.clock.deadline,
        stands_until=table.clock.stands_until(now),
    )


def _log(table: Table, since: int) -> list[schemas.EntryOut]:
    return [
        schemas.EntryOut(number=number, seat=entry.seat, kind=entry.kind, value=entry.value, at=entry.at)
        for number, entry in enumerate(table.history[since : since + MOST_ENTRIES], since + 1)
    ]
