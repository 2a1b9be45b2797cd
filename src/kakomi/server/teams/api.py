"""Teams, for programs: look at them, join, leave."""

from typing import Annotated

from django.http import Http404, HttpRequest
from ninja import Path, Query, Router, Schema

from kakomi.server.accounts.auth import anyone, asking_guest, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import GameName, Place
from kakomi.server.teams import selectors, services
from kakomi.server.teams.models import Team
from kakomi.server.teams.presenters import MemberLine, Page
from kakomi.server.whole_numbers import whole_number

router = Router(tags=["teams"])
Code = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]
Name = Annotated[str, Query(max_length=60, description="only teams with this in their name")]


class TeamOut(Schema):
    """A team. `is_open`: people join at once; else a leader accepts them. Moments are seconds since the
    epoch."""

    code: str
    name: str
    line: str
    game: str
    is_open: bool
    members: int
    created_at: float
    closed_at: float | None


class TeamsOut(Schema):
    """A part of the list, the last founded first; `older` is the place where it goes on."""

    teams: list[TeamOut]
    older: str | None


class MemberRatingOut(Schema):
    """A rating with the ends of its 95 % interval."""

    game: str
    size_class: str
    pace: str
    mean: float
    low: float
    high: float
    games: int


class MemberOut(Schema):
    """A member, with their ratings: in the team's game, if it prefers one."""

    person: str
    is_leader: bool
    ratings: list[MemberRatingOut]


class TeamDetailsOut(Schema):
    """All of a team. `own` is what the asker is to it: `asking`, `in`, `leader`, `removed`, or null;
    `obstacle` says why they can't join."""

    team: TeamOut
    members: list[MemberOut]
    own: str | None
    obstacle: str


@router.get("", auth=anyone("read"), response=answers(TeamsOut), url_name="teams")
def teams(request: HttpRequest, name: Name = "", game: GameName = "", before: Place = "") -> TeamsOut:
    """Teams, at most 50 at a time."""
    del request
    number = whole_number(before, digits=18)
    if before and number is None:
        raise Http404("there is no such place in the list")
    part = selectors.listed_teams(name, game, number)
    older = None if part.older is None else str(part.older)
    return TeamsOut(teams=[_out(*each) for each in part.teams], older=older)


@router.get("/{code}", auth=anyone("read"), response=answers(TeamDetailsOut), url_name="team")
def team(request: HttpRequest, code: Code) -> TeamDetailsOut:
    """A team with its members."""
    return _details(code, guest_behind(request))


@router.post("/{code}/join", auth=guests("lobby"), response=answers(TeamDetailsOut), url_name="join_team")
def join(request: HttpRequest, code: Code) -> TeamDetailsOut:
    """Join, or ask to; sent again nothing more happens."""
    guest = asking_guest(request)
    services.join(selectors.find_team(code), guest)
    return _details(code, guest)


@router.post("/{code}/leave", auth=guests("lobby"), response=answers(TeamDetailsOut), url_name="leave_team")
def leave(request: HttpRequest, code: Code) -> TeamDetailsOut:
    """Leave, or ask no more."""
    guest = asking_guest(request)
    services.leave(selectors.find_team(code), guest)
    return _details(code, guest)


def _out(row: Team, members: int) -> TeamOut:
    return TeamOut(
        code=row.code,
        name=row.name,
        line=row.line,
        game=row.game,
        is_open=row.is_open,
        members=members,
        created_at=row.created_at,
        closed_at=row.closed_at,
    )


def _details(code: str, guest: Guest | None) -> TeamDetailsOut:
    page = Page(selectors.find_team(code), guest)
    return TeamDetailsOut(
        team=_out(page.row, len(page.lines)),
        members=[_member(line) for line in page.lines],
        own=page.own.state if page.own else None,
        obstacle="" if page.own and page.own.state != "removed" else page.obstacle,
    )


def _member(line: MemberLine) -> MemberOut:
    ratings = [note.rating for note in line.ratings]
    return MemberOut(
        person=line.member.guest.handle or "",
        is_leader=line.is_leader,
        ratings=[
            MemberRatingOut(
                game=rating.pool.game,
                size_class=rating.pool.size_class,
                pace=rating.pool.pace,
                mean=rating.mean,
                low=rating.low,
                high=rating.high,
                games=rating.games,
            )
            for rating in ratings
        ],
    )
