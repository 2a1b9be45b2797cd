"""The lobby, for programs: look who waits, look for a game, accept, challenge and be challenged."""

from collections.abc import Sequence
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Query, Router, Status

from kakomi import catalog
from kakomi.server.accounts.auth import anyone, asking_guest, guest_behind, guests
from kakomi.server.accounts.models import Guest
from kakomi.server.api.errors import answers
from kakomi.server.api.schemas import GameName
from kakomi.server.lobby import pairing, schemas, selectors, services
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import FEED, Filter
from kakomi.server.lobby.models import LobbyGuest
from kakomi.server.lobby.presenters import Mine, SeekCard
from kakomi.server.lobby.services import Outcome
from kakomi.session import Refused

router = Router(tags=["lobby"])
Code = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]
PaceName = Annotated[str, Query(max_length=10, description="only `live` seeks, or those over `days`")]


@router.get("/seeks", auth=anyone("read"), response=answers(schemas.SeeksOut), url_name="seeks")
def seeks(request: HttpRequest, game: GameName = "", pace: PaceName = "") -> schemas.SeeksOut:
    """Who waits for whom, the newest first, at most 300."""
    visitor, asked = Visitor.of(guest_behind(request)), Filter(game, pace)
    cards = [card for card in FEED.cards() if asked.takes(card) and visitor.sees(card.seek)]
    return schemas.SeeksOut(seeks=_shown(cards, visitor))


@router.post("/seeks", auth=guests("lobby"), response=answers(schemas.OutcomeOut, 201), url_name="seek")
def look_for(request: HttpRequest, wish: schemas.SeekIn) -> Status[schemas.OutcomeOut]:
    """Look for a game under terms of one's own, or challenge people (`to`). Sent again under the same `key`
    it is the same seek. There is a table at once if somebody waits under the same terms."""
    guest = asking_guest(request)
    return Status(201, _outcome(pairing.look_for(guest, wish.wish(), wish.key), guest))


@router.post("/quick", auth=guests("lobby"), response=answers(schemas.OutcomeOut, 201), url_name="quick")
def quick(request: HttpRequest, wish: schemas.QuickIn) -> Status[schemas.OutcomeOut]:
    """Play a game with anybody, under the site's usual terms."""
    if wish.game not in catalog.names():
        raise Refused(f"there is no game {wish.game!r}; there are: {', '.join(catalog.names())}")
    guest = asking_guest(request)
    return Status(201, _outcome(pairing.play(guest, wish.quick()), guest))


@router.post(
    "/seeks/{code}/accept", auth=guests("lobby"), response=answers(schemas.OutcomeOut), url_name="accept"
)
def accept(request: HttpRequest, code: Code) -> schemas.OutcomeOut:
    """Accept a seek or a challenge. `table` is the game's code as soon as all are there; whoever has accepted
    already gets the same again."""
    guest = asking_guest(request)
    return _outcome(services.accept(code, guest), guest)


@router.post(
    "/seeks/{code}/leave", auth=guests("lobby"), response=answers(schemas.OutcomeOut), url_name="leave"
)
def leave(request: HttpRequest, code: Code) -> schemas.OutcomeOut:
    """Leave a seek that one has joined, before its game has begun."""
    guest = asking_guest(request)
    return _outcome(services.leave(code, guest), guest)


@router.post(
    "/seeks/{code}/withdraw", auth=guests("lobby"), response=answers(schemas.OutcomeOut), url_name="withdraw"
)
def withdraw(request: HttpRequest, code: Code) -> schemas.OutcomeOut:
    """End one's own seek or challenge."""
    guest = asking_guest(request)
    return _outcome(services.withdraw(code, guest), guest)


@router.post(
    "/seeks/{code}/decline", auth=guests("lobby"), response=answers(schemas.OutcomeOut), url_name="decline"
)
def decline(request: HttpRequest, code: Code, why: schemas.DeclineIn) -> schemas.OutcomeOut:
    """Decline a challenge, with a reason if one likes."""
    guest = asking_guest(request)
    return _outcome(services.decline(code, guest, why.reason), guest)


@router.get("/mine", auth=guests("lobby"), response=answers(schemas.MineOut), url_name="lobby_mine")
def mine(request: HttpRequest) -> schemas.MineOut:
    """One's own seeks, those that one has joined, and the challenges that wait for an answer."""
    guest = asking_guest(request)
    visitor, found = Visitor.of(guest), Mine.of(guest)
    return schemas.MineOut(
        own=_shown(found.own, visitor),
        joined=_shown(found.joined, visitor),
        challenges=_shown(found.challenges, visitor),
    )


@router.get("/settings", auth=guests("lobby"), response=answers(schemas.SettingsOut), url_name="challenges")
def settings(request: HttpRequest) -> LobbyGuest:
    """Which challenges one takes."""
    return selectors.settings_of(asking_guest(request))


@router.put("/settings", auth=guests("lobby"), response=answers(schemas.SettingsOut))
def keep_settings(request: HttpRequest, wish: schemas.SettingsIn) -> LobbyGuest:
    """Choose which challenges one takes."""
    guest = asking_guest(request)
    services.keep_settings(guest, LobbyGuest(guest=guest, **wish.dict()))
    return selectors.settings_of(guest)


def _shown(cards: Sequence[SeekCard], visitor: Visitor) -> list[schemas.SeekOut]:
    return [schemas.seek_out(card.seek, visitor) for card in cards]


def _outcome(outcome: Outcome, guest: Guest) -> schemas.OutcomeOut:
    seek = selectors.find_seek(outcome.seek.code)
    table = outcome.table.code if outcome.table else None
    return schemas.OutcomeOut(seek=schemas.seek_out(seek, Visitor.of(guest)), table=table)
