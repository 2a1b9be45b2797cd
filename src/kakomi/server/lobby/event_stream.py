"""The lobby as events: what changes in the list, in what is one's own, and the games that begin."""

from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.exceptions import Denied
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import Filter
from kakomi.server.lobby.listeners import Listener, Show
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.realtime.ephemeral import MESSAGES
from kakomi.server.realtime.sse import stream_response
from kakomi.server.whole_numbers import whole_number


@require_safe
async def events(request: HttpRequest) -> StreamingHttpResponse:
    """An endless stream for a page: `seeks` with cards that are new or different, and the codes of those that
    are gone; `mine` when something of one's own has changed; `game` with the address of one's new table."""
    asked = Filter(request.GET.get("game", ""), request.GET.get("pace", ""))
    guest = await sync_to_async(guest_of)(request)
    listener = await _listener(request, guest, asked, _as_html, f"page {asked.game} {asked.pace}")
    return stream_response(listener.events())


@require_safe
async def api_events(request: HttpRequest) -> HttpResponseBase:
    """The same for a program, whose token says for whom; seeks are as the API shows them."""
    from kakomi.server.api.errors import denied_response  # needs ninja, which pages don't wait for
    from kakomi.server.lobby.schemas import seek_out

    try:
        guest = await sync_to_async(_guest_of_program)(request)
    except Denied as error:
        return denied_response(error)
    owner = f"program of {guest.pk if guest else None}"  # the owner alone sees who is challenged

    def shown(card: SeekCard, visitor: Visitor) -> object:
        return seek_out(card.seek, visitor).model_dump(mode="json")

    return stream_response((await _listener(request, guest, Filter(), shown, owner)).events())


@require_POST
def sign_of_life(request: HttpRequest) -> HttpResponse:
    """A page says that it is still there, by the name of its stream."""
    guest = guest_of(request)
    if guest:
        MESSAGES.note_life(news.topic_of(guest.pk), request.POST.get("stream", "")[:40])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _guest_of_program(request: HttpRequest) -> Guest | None:
    from kakomi.server.accounts.auth import Token  # needs ninja

    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return Token("lobby").authenticate(request, token) if scheme.lower() == "bearer" else guest_of(request)


def _as_html(card: SeekCard, visitor: Visitor) -> object:
    return card.html(visitor)


async def _listener(
    request: HttpRequest, guest: Guest | None, asked: Filter, show: Show, name: str
) -> Listener:
    after = whole_number(request.GET.get("after"), digits=15)

    def known() -> tuple[Visitor, int]:
        return Visitor.of(guest), selectors.last_game(guest) if after is None else after

    visitor, last = await sync_to_async(known)()
    language, has_list = translation.get_language(), "mine" not in request.GET
    return Listener(visitor, asked, last, language, show, name, has_list)
