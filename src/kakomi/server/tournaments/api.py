"""API operations for tournaments: list and show them, enter, leave, and challenge on ladders."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router, Schema

from kakomi.server.accounts.auth import anyone, guests, optional_guest, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.site.api import answers
from kakomi.server.tournaments import selectors, services
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.presenters import Page
from kakomi.server.tournaments.standings import Line, PairingLine, RoundPart

router = Router(tags=["tournaments"])
Code = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]
Entered = Annotated[int, Path(ge=1, le=32767)]


class TournamentOut(Schema):
    """A tournament. docs/tournaments.md describes `format`. Times are in seconds since the epoch."""

    code: str
    name: str
    description: str
    game: str
    format: dict[str, Any]
    clock: dict[str, Any]
    state: str
    is_rated: bool
    takes_bots: bool
    most: int
    present: int
    begins_at: float
    repeat: str
    """`weekly`, `monthly`, or empty if it isn't repeated."""
    next_at: float | None
    """When the next edition begins, until it opens."""
    ended_at: float | None


class TournamentsOut(Schema):
    """Tournaments, at most 50 of each kind."""

    open: list[TournamentOut]
    running: list[TournamentOut]
    ended: list[TournamentOut]


class StandingOut(Schema):
    """An entrant in the standings. `handle` is null for bots of the site and erased people."""

    place: int | None
    """Null for people who left before the end; they come last."""
    entrant: int
    handle: str | None
    bot: str
    """The level of a bot of the site."""
    points: float
    tie_breaks: list[float]
    games: int
    status: str
    stage: str


class PairingOut(Schema):
    """A table: the entrants in the order of their seats, and their places once it is over."""

    table: str
    seats: list[int]
    places: list[int] | None
    stage: str
    is_annulled: bool
    """Whether it doesn't count because somebody left a round robin before playing half of their games."""


class RoundOut(Schema):
    """A round."""

    number: int
    ends_at: float
    pairings: list[PairingOut]
    byes: list[int]


class TournamentDetailsOut(Schema):
    """A tournament in full. `own` is your entrant number while you take part; `obstacle` says why you can't
    enter."""

    tournament: TournamentOut
    standings: list[StandingOut]
    rounds: list[RoundOut]
    own: int | None
    obstacle: str
    challengeable: list[int]
    """The entrants of a ladder whom you can challenge now."""


@router.get("", auth=anyone("read"), response=answers(TournamentsOut), url_name="tournaments")
def tournaments(request: HttpRequest) -> TournamentsOut:
    """List the tournaments that are open for entry, running, and over."""
    del request
    return TournamentsOut(
        open=[_out(*each) for each in selectors.open_tournaments()],
        running=[_out(*each) for each in selectors.running_tournaments()],
        ended=[_out(*each) for each in selectors.ended_tournaments()],
    )


@router.get("/{code}", auth=anyone("read"), response=answers(TournamentDetailsOut), url_name="tournament")
def tournament(request: HttpRequest, code: Code) -> TournamentDetailsOut:
    """Return a tournament with its standings and rounds."""
    return _details(code, optional_guest(request))


@router.post("/{code}/enter", auth=guests("lobby"), response=answers(TournamentDetailsOut), url_name="enter")
def enter(request: HttpRequest, code: Code) -> TournamentDetailsOut:
    """Enter a tournament, or return to it. Repeating the request is harmless."""
    guest = required_guest(request)
    services.enter(selectors.find_tournament(code), guest)
    return _details(code, guest)


@router.post(
    "/{code}/leave", auth=guests("lobby"), response=answers(TournamentDetailsOut), url_name="leave_tournament"
)
def leave(request: HttpRequest, code: Code) -> TournamentDetailsOut:
    """Leave a tournament and give up your games in it."""
    guest = required_guest(request)
    services.leave(selectors.find_tournament(code), guest)
    return _details(code, guest)


@router.post(
    "/{code}/challenge/{entrant}",
    auth=guests("lobby"),
    response=answers(TournamentDetailsOut),
    url_name="challenge",
)
def challenge(request: HttpRequest, code: Code, entrant: Entered) -> TournamentDetailsOut:
    """Challenge an entrant of a ladder by number. The game begins at once. Repeating the request does nothing
    while you play each other."""
    guest = required_guest(request)
    services.challenge(selectors.find_tournament(code), guest, entrant)
    return _details(code, guest)


@router.post(
    "/{code}/decline/{table}",
    auth=guests("lobby"),
    response=answers(TournamentDetailsOut),
    url_name="decline_challenge",
)
def decline(request: HttpRequest, code: Code, table: Code) -> TournamentDetailsOut:
    """Decline a ladder game before it begins. You lose it and stay on the ladder."""
    guest = required_guest(request)
    services.decline(selectors.find_tournament(code), guest, table)
    return _details(code, guest)


def _out(row: Tournament, present: int) -> TournamentOut:
    return TournamentOut(
        code=row.code,
        name=row.name,
        description=row.description,
        game=row.game,
        format=row.format,
        clock=row.terms["control"],
        state=row.state,
        is_rated=row.is_rated,
        takes_bots=row.takes_bots,
        most=row.most,
        present=present,
        begins_at=row.begins_at,
        repeat=row.repeat,
        next_at=row.next_at,
        ended_at=row.ended_at,
    )


def _details(code: str, guest: Guest | None) -> TournamentDetailsOut:
    page = Page.of(selectors.find_tournament(code), guest)
    return TournamentDetailsOut(
        tournament=_out(page.row, page.count),
        standings=[_standing(line) for line in page.lines],
        rounds=[_round(part) for part in page.rounds],
        own=page.own.number if page.own and page.is_in else None,
        obstacle="" if page.is_in else page.obstacle,
        challengeable=sorted(map(int, page.challengeable)),
    )


def _standing(line: Line) -> StandingOut:
    guest = line.entrant.guest
    return StandingOut(
        place=line.row.place,
        entrant=line.entrant.number,
        handle=guest.handle if guest else None,
        bot=line.entrant.bot,
        points=float(line.row.points),
        tie_breaks=[float(value) for value in line.row.tie_breaks],
        games=line.row.games,
        status=line.row.status,
        stage=line.row.stage,
    )


def _round(part: RoundPart) -> RoundOut:
    return RoundOut(
        number=part.number,
        ends_at=part.ends_at,
        pairings=[_pairing(pairing) for pairing in part.pairings],
        byes=[entrant.number for entrant in part.byes],
    )


def _pairing(pairing: PairingLine) -> PairingOut:
    places = [player.place for player in pairing.players if player.place is not None]
    return PairingOut(
        table=pairing.code,
        seats=[player.entrant.number for player in pairing.players],
        places=places if pairing.is_over else None,
        stage=pairing.stage,
        is_annulled=pairing.is_annulled,
    )
