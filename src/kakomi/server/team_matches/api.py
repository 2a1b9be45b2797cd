"""Team matches, for programs: look at them, enter, leave."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema

from kakomi.server.accounts.auth import anyone, asking_guest, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.team_matches import selectors, services
from kakomi.server.team_matches.models import TeamMatch
from kakomi.server.team_matches.presenters import Card, GameLine, Page
from kakomi.server.teams.selectors import find_team

router = Router(tags=["team matches"])
Code = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]

Side = Annotated[str, Query(pattern="^(home|away)?$", description="for which team, for who is in both")]


class MatchOut(Schema):
    """A team match. `home` and `away` are codes of teams; `points` are those of the two, so far. Moments are
    seconds since the epoch."""

    code: str
    home: str
    away: str
    game: str
    clock: dict[str, Any]
    boards: int
    games: int
    is_rated: bool
    state: str
    reason: str
    points: list[float]
    begins_at: float
    ended_at: float | None


class BoardGameOut(Schema):
    """A game at a board: `home` and `away` play for the two teams (null: who was erased); `home_points` is
    null while it goes on."""

    board: int
    number: int
    table: str
    home: str | None
    away: str | None
    home_begins: bool
    home_points: float | None


class TeamMatchDetailsOut(Schema):
    """All of a team match. `entered` has who would play, by team; `obstacle` says why one can't enter."""

    match: MatchOut
    games: list[BoardGameOut]
    entered: dict[str, list[str]]
    is_in: bool
    obstacle: str


@router.get("/of/{code}", auth=anyone("read"), response=answers(list[MatchOut]), url_name="matches_of_team")
def matches(request: HttpRequest, code: Code) -> list[MatchOut]:
    """The last 30 matches of a team."""
    del request
    rows = selectors.matches_of(find_team(code))[: selectors.SHOWN]
    return [_out(Card(row)) for row in rows]


@router.get("/{code}", auth=anyone("read"), response=answers(TeamMatchDetailsOut), url_name="team_match")
def match(request: HttpRequest, code: Code) -> TeamMatchDetailsOut:
    """A team match with its games."""
    return _details(code, guest_behind(request))


@router.post(
    "/{code}/enter", auth=guests("lobby"), response=answers(TeamMatchDetailsOut), url_name="enter_team_match"
)
def enter(request: HttpRequest, code: Code, side: Side = "") -> TeamMatchDetailsOut:
    """Play for one's team; sent again nothing more happens."""
    guest = asking_guest(request)
    services.enter(selectors.find_match(code), guest, side)
    return _details(code, guest)


@router.post(
    "/{code}/leave", auth=guests("lobby"), response=answers(TeamMatchDetailsOut), url_name="leave_team_match"
)
def leave(request: HttpRequest, code: Code) -> TeamMatchDetailsOut:
    """Not play after all, until it begins."""
    guest = asking_guest(request)
    services.leave(selectors.find_match(code), guest)
    return _details(code, guest)


def _out(card: Card) -> MatchOut:
    row: TeamMatch = card.row
    return MatchOut(
        code=row.code,
        home=row.home.code,
        away=row.away.code,
        game=row.game,
        clock=row.terms["control"],
        boards=row.boards,
        games=row.games,
        is_rated=row.is_rated,
        state=row.state,
        reason=row.reason,
        points=list(card.points),
        begins_at=row.begins_at,
        ended_at=row.ended_at,
    )


def _details(code: str, guest: Guest | None) -> TeamMatchDetailsOut:
    page = Page(selectors.find_match(code), guest)
    return TeamMatchDetailsOut(
        match=_out(page),
        games=[_game(line) for line in page.lines],
        entered={team.code: [e.guest.handle or "" for e in entries] for team, _, entries in page.sides},
        is_in=page.own is not None,
        obstacle="" if page.own else page.obstacle,
    )


def _game(line: GameLine) -> BoardGameOut:
    return BoardGameOut(
        board=line.game.board,
        number=line.game.number,
        table=line.game.table.code,
        home=line.home.handle if line.home else None,
        away=line.away.handle if line.away else None,
        home_begins=line.home_begins,
        home_points=line.game.home_points,
    )
