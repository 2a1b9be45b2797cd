"""API operations of the lobby: list seeks, create and join them, challenge, and answer challenges."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema, Status
from pydantic import ConfigDict, Field

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.auth import anyone, guests, optional_guest, required_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import people_online
from kakomi.server.lobby import pairing, selectors, services
from kakomi.server.lobby.conditions import MOST_GAMES, Visitor
from kakomi.server.lobby.feed import FEED, Filter
from kakomi.server.lobby.forms import MOST_TIMES
from kakomi.server.lobby.models import LobbyGuest, Seek
from kakomi.server.lobby.pairing import QuickWish
from kakomi.server.lobby.presenters import Mine, SeekCard
from kakomi.server.lobby.selectors import SeekState
from kakomi.server.lobby.services import LONGEST_DAYS, SeekOutcome, Wish
from kakomi.server.lobby.terms import PLAYERS, SeekTerms, Side
from kakomi.server.site.api import GameName, Key, Number, ShortText, Strict, answers
from kakomi.server.tables.api import TableIn, TermsIn, TimeControlOut
from kakomi.server.tables.clock_texts import LONGEST_TEXT
from kakomi.session import Refused
from kakomi.session.time_control import Pace


class SeekIn(TermsIn):
    """A seek, or a challenge if `to` is given. The game begins with at least `least` and at most the option
    `players` players."""

    clock: Annotated[str, Field(max_length=LONGEST_TEXT)]
    key: Key
    least: Annotated[int, Field(ge=2, le=12)] | None = None
    side: Side = "lot"
    times: Annotated[int, Field(ge=1, le=MOST_TIMES)] = 1
    days: Annotated[int, Field(ge=1, le=LONGEST_DAYS)] = 7
    rating_low: Number | None = None
    rating_high: Number | None = None
    to: Annotated[list[ShortText], Field(max_length=11, default_factory=list)]
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"game": "rin", "options": {"size": 8}, "clock": "10+5", "key": "my-seek-1"}]
        },
    )

    def wish(self) -> Wish:
        """Convert it to a wish. Raises Refused with what is wrong."""
        others = ["friend"] * (self.options.get(PLAYERS, 2) - 1)
        table = TableIn(
            game=self.game,
            options=self.options,
            seats=["me", *others] if 0 < len(others) < 12 else ["me", "friend"],
            is_match=self.is_match,
            negotiate=self.negotiate,
            swap=self.swap,
            leavers=self.leavers,
            clock=self.clock,
        ).table_request()
        if table.control is None:
            raise Refused(lazy_message("Choose a time control."))
        players = table.game.players
        terms = SeekTerms.of(
            table.game,
            table.control,
            is_match=self.is_match,
            negotiate=table.negotiate,
            swap=table.swap,
            side=self.side,
            leavers=table.leavers,
        )
        return Wish(
            Seek.Kind.CHALLENGE if self.to else Seek.Kind.OPEN,
            terms,
            self.is_rated,
            self.least or players,
            players,
            self.times,
            self.days,
            self.rating_low,
            self.rating_high,
            self._invitees(),
        )

    def _invitees(self) -> list[Guest]:
        found, unknown = selectors.find_people(self.to)
        if unknown:
            raise Refused(lazy_message("there is no player called {name}", name=unknown[0]))
        return found


class QuickIn(Strict):
    """A game with anybody. `sizes` are the acceptable boards; `least` and `most` limit the player count."""

    game: ShortText
    pace: Pace = "live"
    sizes: Annotated[list[Number], Field(max_length=10, default_factory=list)]
    least: Annotated[int, Field(ge=2, le=12)] | None = None
    most: Annotated[int, Field(ge=2, le=12)] | None = None
    is_rated: bool = False
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"game": "rings", "least": 3, "most": 6}]}
    )

    def quick(self) -> QuickWish:
        """Convert it to a quick wish."""
        sizes = tuple(self.sizes)
        return QuickWish(self.game, self.pace, sizes, self.least or 0, self.most or 0, self.is_rated)


class DeclineIn(Strict):
    """An optional reason for declining a challenge."""

    reason: Literal["", "later", "clock", "board", "terms", "casual", "rated", "opponent"] = ""


class ChallengeSettings(Strict):
    """Which challenges you take. With `most_games` games in progress, you take none."""

    challenges_from: Literal["all", "nobody"] = "all"
    takes_live: bool = True
    takes_days: bool = True
    takes_rated: bool = True
    takes_casual: bool = True
    most_games: Annotated[int, Field(ge=1, le=MOST_GAMES)] | None = None


class PersonOut(Schema):
    """A person in a seek; `handle` is null without an account."""

    name: str
    handle: str | None
    is_bot: bool


class InviteeOut(PersonOut):
    """A challenged person, with their answer: `accepted`, `declined`, or empty if there is none yet."""

    answer: str
    reason: str


class SeekOut(Schema):
    """A seek. `obstacle` is why you can't join it, empty if you can. Times are in seconds since the epoch."""

    code: str
    kind: str
    game: str
    options: dict[str, int]
    sizes: list[int]
    pace: str
    clock: TimeControlOut
    is_rated: bool
    is_match: bool
    negotiate: bool
    swap: bool
    side: str
    rating_low: int | None
    rating_high: int | None
    least: int
    most: int
    games_left: int
    people: list[PersonOut]
    invitees: list[InviteeOut]
    is_own: bool
    is_joined: bool
    obstacle: str
    due_at: float
    starts_at: float | None
    ending: str


class SeeksOut(Schema):
    """Seeks, the newest first."""

    seeks: list[SeekOut]
    online: int
    """The number of people with a page open, counted every ten seconds."""


class MineOut(Schema):
    """Your own seeks and challenges, those that you have joined, and the challenges that wait for your
    answer."""

    own: list[SeekOut]
    joined: list[SeekOut]
    challenges: list[SeekOut]


class OutcomeOut(Schema):
    """A seek after the operation, and the code of the table that it became."""

    seek: SeekOut
    table: str | None


def seek_out(seek: SeekState, visitor: Visitor) -> SeekOut:
    """A seek as the API shows it to a visitor."""
    row, terms, role = seek.row, seek.terms, SeekCard(seek).role(visitor)
    return SeekOut(
        code=row.code,
        kind=row.kind,
        game=row.game,
        options=dict(terms.options),
        sizes=list(terms.sizes),
        pace=row.pace,
        clock=TimeControlOut.from_orm(terms.control),
        is_rated=row.is_rated,
        is_match=terms.is_match,
        negotiate=terms.negotiate,
        swap=terms.swap,
        side=terms.side,
        rating_low=row.rating_low,
        rating_high=row.rating_high,
        least=row.least,
        most=row.most,
        games_left=max(row.times - row.round + 1, 0),
        people=[PersonOut(**_person(guest)) for guest in seek.people],
        invitees=[
            InviteeOut(**_person(each.guest), answer=each.answer, reason=each.reason)
            for each in (seek.invitees if visitor.guest == row.owner_id else ())
        ],
        is_own=role == "own",
        is_joined=role == "joined",
        obstacle="" if role in ("own", "joined", "accept") else str(role),
        due_at=row.due_at,
        starts_at=row.starts_at,
        ending=row.ending,
    )


def _person(guest: Guest) -> dict[str, Any]:
    return {"name": guest.display_name, "handle": guest.handle, "is_bot": guest.is_bot}


router = Router(tags=["lobby"])
Code = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]
PaceName = Annotated[str, Query(max_length=10, description="only `live` seeks, or those over `days`")]


@router.get("/seeks", auth=anyone("read"), response=answers(SeeksOut), url_name="seeks")
def seeks(request: HttpRequest, game: GameName = "", pace: PaceName = "") -> SeeksOut:
    """List the open seeks that you may see, the newest first, at most 300."""
    visitor, asked = Visitor.of(optional_guest(request)), Filter(game, pace)
    cards = [card for card in FEED.cards() if asked.takes(card) and visitor.sees(card.seek)]
    return SeeksOut(seeks=_shown(cards, visitor), online=people_online())


@router.post("/seeks", auth=guests("lobby"), response=answers(OutcomeOut, 201), url_name="seek")
def look_for(request: HttpRequest, wish: SeekIn) -> Status[OutcomeOut]:
    """Look for a game under your own terms, or challenge people (`to`). Repeating a `key` returns the same
    seek. The response has a table if somebody was already waiting under the same terms."""
    guest = required_guest(request)
    return Status(201, _outcome(pairing.look_for(guest, wish.wish(), wish.key), guest))


@router.post("/quick", auth=guests("lobby"), response=answers(OutcomeOut, 201), url_name="quick")
def quick(request: HttpRequest, wish: QuickIn) -> Status[OutcomeOut]:
    """Play a game with anybody, under the site's usual terms."""
    if wish.game not in catalog.names():
        raise Refused(f"there is no game {wish.game!r}; there are: {', '.join(catalog.names())}")
    guest = required_guest(request)
    return Status(201, _outcome(pairing.request_quick_game(guest, wish.quick()), guest))


@router.post("/seeks/{code}/accept", auth=guests("lobby"), response=answers(OutcomeOut), url_name="accept")
def accept(request: HttpRequest, code: Code) -> OutcomeOut:
    """Accept a seek or a challenge. `table` is the table's code once all players are there. Repeating the
    request is harmless."""
    guest = required_guest(request)
    return _outcome(services.accept(code, guest), guest)


@router.post("/seeks/{code}/leave", auth=guests("lobby"), response=answers(OutcomeOut), url_name="leave")
def leave(request: HttpRequest, code: Code) -> OutcomeOut:
    """Leave a seek that you have joined, before its game begins."""
    guest = required_guest(request)
    return _outcome(services.leave(code, guest), guest)


@router.post(
    "/seeks/{code}/withdraw", auth=guests("lobby"), response=answers(OutcomeOut), url_name="withdraw"
)
def withdraw(request: HttpRequest, code: Code) -> OutcomeOut:
    """End your own seek or challenge."""
    guest = required_guest(request)
    return _outcome(services.withdraw(code, guest), guest)


@router.post("/seeks/{code}/decline", auth=guests("lobby"), response=answers(OutcomeOut), url_name="decline")
def decline(request: HttpRequest, code: Code, why: DeclineIn) -> OutcomeOut:
    """Decline a challenge, with an optional reason."""
    guest = required_guest(request)
    return _outcome(services.decline(code, guest, why.reason), guest)


@router.get("/mine", auth=guests("lobby"), response=answers(MineOut), url_name="lobby_mine")
def mine(request: HttpRequest) -> MineOut:
    """List your own seeks, those that you have joined, and the challenges that wait for your answer."""
    guest = required_guest(request)
    visitor, found = Visitor.of(guest), Mine.of(guest)
    return MineOut(
        own=_shown(found.own, visitor),
        joined=_shown(found.joined, visitor),
        challenges=_shown(found.challenges, visitor),
    )


@router.get("/settings", auth=guests("lobby"), response=answers(ChallengeSettings), url_name="challenges")
def settings(request: HttpRequest) -> LobbyGuest:
    """Return which challenges you take."""
    return selectors.settings_of(required_guest(request))


@router.put("/settings", auth=guests("lobby"), response=answers(ChallengeSettings))
def keep_settings(request: HttpRequest, wish: ChallengeSettings) -> LobbyGuest:
    """Set which challenges you take."""
    guest = required_guest(request)
    services.save_settings(guest, LobbyGuest(guest=guest, **wish.dict()))
    return selectors.settings_of(guest)


def _shown(cards: Sequence[SeekCard], visitor: Visitor) -> list[SeekOut]:
    return [seek_out(card.seek, visitor) for card in cards]


def _outcome(outcome: SeekOutcome, guest: Guest) -> OutcomeOut:
    seek = selectors.find_seek(outcome.seek.code)
    table = outcome.table.code if outcome.table else None
    return OutcomeOut(seek=seek_out(seek, Visitor.of(guest)), table=table)
