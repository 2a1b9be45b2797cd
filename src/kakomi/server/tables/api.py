"""Tables, for programs: open one, sit down, look, act, take the record home."""

from typing import Annotated

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from kakomi.records import write_json
from kakomi.server.accounts.auth import GUESTS, SPECTATORS, guest_behind
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.tables import models, schemas, selectors, services
from kakomi.server.tables.api_presenter import table_out
from kakomi.server.tables.command_handlers import carry_out
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused
from kakomi.session.record import record_of

router = Router(tags=["tables"])

Code = Annotated[str, Path(max_length=40, pattern=r"^[A-Za-z0-9_-]+$")]
"""Of a table, or of an invitation."""
Since = Annotated[int, Query(ge=0, le=999_999_999, description="leave out so many entries of the log")]
LegNumber = Annotated[int, Query(ge=1, le=100, description="which game of a match")]


@router.post("/tables", auth=GUESTS, response=answers(schemas.TableOut, 201), url_name="tables")
def open_table(request: HttpRequest, wish: schemas.TableIn) -> Status[schemas.TableOut]:
    """Open a table. Seats are `me`, `beside` (someone at the same screen), `friend` (whoever gets the seat's
    invitation) or a bot's level, `1` to `10`; `clock` is `5+3` (minutes, seconds a turn) or `30` (seconds
    for every turn)."""
    guest = _guest(request)
    row = services.open_table(wish.table_request(), guest)
    return Status(201, _shown(row, guest))


@router.get("/tables/{code}", auth=SPECTATORS, response=answers(schemas.TableOut), url_name="table")
def look(request: HttpRequest, code: Code, since: Since = 0) -> schemas.TableOut:
    """A table as it stands. Who knows its code may watch."""
    return _shown(selectors.find_table(code), guest_behind(request), since)


@router.post("/tables/{code}/acts", auth=GUESTS, response=answers(schemas.TableOut), url_name="act")
def act(request: HttpRequest, code: Code, act: schemas.ActIn) -> schemas.TableOut:
    """Do something for the seat that is yours and to act. `play` takes one action, or several of a turn with
    spaces between them; either all of them are played or none."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, _guest(request))
    row, table = carry_out(row, viewer, act.submission())
    return table_out(row, table, viewer, act.base)


@router.post("/invitations/{invitation}", auth=GUESTS, response=answers(schemas.TableOut), url_name="join")
def join(request: HttpRequest, invitation: Code) -> schemas.TableOut:
    """Sit down in the seat that an invitation is for."""
    seat = selectors.invited_seat(invitation)
    if seat is None:
        raise Http404("there is no such invitation")
    guest = _guest(request)
    if seat.guest_id != guest.pk and not services.sit_down(seat, guest):
        raise Refused("somebody sits here already")
    return _shown(selectors.find_table(seat.table.code), guest)


@router.get("/tables/{code}/record", auth=SPECTATORS, response=answers(dict), url_name="record")
def record(request: HttpRequest, code: Code, leg: LegNumber = 1) -> HttpResponse:
    """The record of a game, as docs/records.md describes it."""
    row = selectors.find_table(code)
    match = selectors.table_of(row).match
    if leg > len(match.games):
        raise Http404(f"the match has no game {leg} yet")
    day = row.created_at.date().isoformat()
    data = write_json(record_of(match, match.games[leg - 1], date=day))
    return HttpResponse(data, content_type="application/json")


def _guest(request: HttpRequest) -> Guest:
    guest = guest_behind(request)
    assert guest is not None  # GUESTS let nobody else in
    return guest


def _shown(row: models.Table, guest: Guest | None, since: int = 0) -> schemas.TableOut:
    return table_out(row, selectors.table_of(row), Viewer.of(row, guest), since)
