"""The lobby as events: what changes in the list, in what is one's own, and the games that begin.

One task of a process waits for news of the list and hands every page its text, which is made once for all who
see the same. So a thousand pages cost little more than sending.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_POST, require_safe

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.database import outside_requests
from kakomi.server.exceptions import Denied
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import FEED, Changes, Filter
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.ephemeral import MESSAGES, STREAM
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event, stream_response
from kakomi.server.whole_numbers import whole_number

Show = Callable[[SeekCard, Visitor], object]
"""Makes data that JSON can hold of a seek, for somebody."""
Role = str | None


class Audience:
    """The pages of this process that show the list."""

    def __init__(self) -> None:
        self._pages: set[Listener] = set()
        self._task: asyncio.Task[None] | None = None

    def enter(self, page: "Listener") -> None:
        """Tell a page of the list's news from now on."""
        self._pages.add(page)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen())

    def leave(self, page: "Listener") -> None:
        """Tell it nothing any more."""
        self._pages.discard(page)
        if not self._pages and self._task:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        try:
            async for number in BROKER.news(news.LOBBY):
                await FEED.reach(number)
                for page in tuple(self._pages):
                    page.tell_changes()
        except Exception:  # the database is away: pages connect again
            for page in tuple(self._pages):
                page.end()
            raise


AUDIENCE = Audience()
"""This process's."""


@dataclass(eq=False)
class Listener:
    """One open page, or a program."""

    visitor: Visitor
    asked: Filter
    last_game: int
    """The number of the latest game that it knows of."""
    language: str | None
    show: Show
    name: str
    """Of the kind of what it is told: those of a kind are told the same."""
    has_list: bool = True
    _said: "asyncio.Queue[str | None]" = field(default_factory=asyncio.Queue)
    _told: int | None = None

    async def events(self) -> AsyncGenerator[str, None]:
        """All that happens, from the list as it is, with heartbeats."""
        tasks = []
        if self.visitor.guest is not None:
            topic = news.topic_of(self.visitor.guest)
            tasks = [
                asyncio.create_task(self._hear_own(topic)),
                asyncio.create_task(self._hear_messages(topic)),
            ]
        try:
            if self.has_list:
                AUDIENCE.enter(self)
            await asyncio.sleep(0)  # all is listened to from now on
            if self.has_list:
                await FEED.reach(await sync_to_async(news.latest)())
                self.tell_changes()
            await self._tell_games()
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        said = await self._said.get()
                except TimeoutError:
                    said = HEARTBEAT
                if said is None:
                    return
                yield said
        finally:
            AUDIENCE.leave(self)
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def end(self) -> None:
        """Say no more."""
        self._said.put_nowait(None)

    def tell_changes(self) -> None:
        """Tell what it is lacking of the list."""
        changes = FEED.since(self._told)
        self._told = changes.version
        roles = tuple(self._role(card) for card in changes.put)
        key: Hashable = (self.name, self.language, roles)
        if key not in changes.said:
            changes.said[key] = self._text(changes, roles)
        if text := changes.said[key]:
            self._said.put_nowait(text)

    def _role(self, card: SeekCard) -> Role:
        """What a seek is for them; None if they don't see it."""
        if not (self.asked.takes(card) and self.visitor.sees(card.seek)):
            return None
        return str(card.role(self.visitor))

    def _text(self, changes: Changes, roles: tuple[Role, ...]) -> str:
        """The event; empty if there is nothing to tell."""
        if not (changes.put or changes.gone or changes.is_all):
            return ""
        shown = list(zip(changes.put, roles, strict=True))
        with translation.override(self.language):
            put = [[card.code, self.show(card, self.visitor)] for card, role in shown if role is not None]
        unseen = [] if changes.is_all else [card.code for card, role in shown if role is None]
        return event("seeks", {"all": changes.is_all, "put": put, "gone": [*changes.gone, *unseen]})

    async def _hear_own(self, topic: str) -> None:
        async for number in BROKER.news(topic):
            await self._tell_games()
            self._said.put_nowait(event("mine", number))

    async def _hear_messages(self, topic: str) -> None:
        """While they listen they are present; it ends when a page that has answered falls silent."""
        async for heard in MESSAGES.heard(topic, self.visitor.guest):
            if STREAM in heard:
                self._said.put_nowait(event(STREAM, heard[STREAM]))
        self.end()

    async def _tell_games(self) -> None:
        """Tell of their games that the page doesn't know of."""
        if self.visitor.guest is None:
            return
        games_after = outside_requests(selectors.games_after)
        for game in await sync_to_async(games_after)(self.visitor.guest, self.last_game):
            self.last_game = max(self.last_game, game.pk)
            address = reverse("table", args=[game.table.code])
            self._said.put_nowait(event("game", {"address": address, "code": game.table.code}))


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
    from kakomi.server.lobby.api import seek_out

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
