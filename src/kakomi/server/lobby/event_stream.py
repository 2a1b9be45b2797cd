"""The lobby's server-sent events: changes to the list and to the viewer's own seeks, and new games.

One task per process waits for news of the list and passes each page its text, which is rendered once for all
pages that show the same. So a thousand pages cost little more than the sending.
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
from kakomi.server.lobby import feed, selectors
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import FEED, Changes, Filter
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.ephemeral import MESSAGES, STREAM
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event, stream_response
from kakomi.server.site.database import outside_requests
from kakomi.server.site.exceptions import Denied
from kakomi.server.site.whole_numbers import whole_number

Show = Callable[[SeekCard, Visitor], object]
"""Converts a seek to JSON-compatible data for a visitor."""
Role = str | None


class Audience:
    """This process's open pages that show the list."""

    def __init__(self) -> None:
        self._pages: set[Listener] = set()
        self._task: asyncio.Task[None] | None = None

    def enter(self, page: "Listener") -> None:
        """Start sending the list's changes to a page."""
        self._pages.add(page)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen())

    def leave(self, page: "Listener") -> None:
        """Stop sending changes to a page."""
        self._pages.discard(page)
        if not self._pages and self._task:
            self._task.cancel()
            self._task = None

    async def _listen(self) -> None:
        try:
            async for number in BROKER.news(feed.LOBBY):
                await FEED.reach(number)
                for page in tuple(self._pages):
                    page.send_changes()
        except Exception:  # the database is unreachable; pages reconnect
            for page in tuple(self._pages):
                page.end()
            raise


AUDIENCE = Audience()
"""This process's audience."""


@dataclass(eq=False)
class Listener:
    """One open page or connected program."""

    visitor: Visitor
    asked: Filter
    last_game: int
    """The number of the latest game that it was sent."""
    language: str | None
    show: Show
    name: str
    """Identifies the kind of output: listeners with the same name, language and roles share their events."""
    has_list: bool = True
    _queue: "asyncio.Queue[str | None]" = field(default_factory=asyncio.Queue)
    _version: int | None = None

    async def events(self) -> AsyncGenerator[str, None]:
        """Yield the current list, then all events, with heartbeats."""
        tasks = []
        if self.visitor.guest is not None:
            topic = feed.topic_of(self.visitor.guest)
            tasks = [
                asyncio.create_task(self._watch_own_news(topic)),
                asyncio.create_task(self._watch_messages(topic)),
            ]
        try:
            if self.has_list:
                AUDIENCE.enter(self)
            await asyncio.sleep(0)  # let all tasks subscribe first
            if self.has_list:
                await FEED.reach(await sync_to_async(feed.latest_number)())
                self.send_changes()
            await self._send_games()
            while True:
                try:
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        text = await self._queue.get()
                except TimeoutError:
                    text = HEARTBEAT
                if text is None:
                    return
                yield text
        finally:
            AUDIENCE.leave(self)
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)

    def end(self) -> None:
        """End the stream."""
        self._queue.put_nowait(None)

    def send_changes(self) -> None:
        """Send the changes to the list that it hasn't got."""
        changes = FEED.since(self._version)
        self._version = changes.version
        roles = tuple(self._role(card) for card in changes.put)
        key: Hashable = (self.name, self.language, roles)
        if key not in changes.rendered:
            changes.rendered[key] = self._text(changes, roles)
        if text := changes.rendered[key]:
            self._queue.put_nowait(text)

    def _role(self, card: SeekCard) -> Role:
        """The viewer's role in a seek, or None if they don't see it."""
        if not (self.asked.takes(card) and self.visitor.sees(card.seek)):
            return None
        return str(card.role(self.visitor))

    def _text(self, changes: Changes, roles: tuple[Role, ...]) -> str:
        """The event's text; empty if nothing has changed."""
        if not (changes.put or changes.gone or changes.is_all):
            return ""
        shown = list(zip(changes.put, roles, strict=True))
        with translation.override(self.language):
            put = [[card.code, self.show(card, self.visitor)] for card, role in shown if role is not None]
        unseen = [] if changes.is_all else [card.code for card, role in shown if role is None]
        return event("seeks", {"all": changes.is_all, "put": put, "gone": [*changes.gone, *unseen]})

    async def _watch_own_news(self, topic: str) -> None:
        async for number in BROKER.news(topic):
            await self._send_games()
            self._queue.put_nowait(event("mine", number))

    async def _watch_messages(self, topic: str) -> None:
        """Mark the guest as present, send the stream's name, and end the stream when the page goes silent."""
        async for found in MESSAGES.messages(topic, self.visitor.guest):
            if STREAM in found:
                self._queue.put_nowait(event(STREAM, found[STREAM]))
        self.end()

    async def _send_games(self) -> None:
        """Send the addresses of new games."""
        if self.visitor.guest is None:
            return
        games_after = outside_requests(selectors.games_after)
        for game in await sync_to_async(games_after)(self.visitor.guest, self.last_game):
            self.last_game = max(self.last_game, game.pk)
            address = reverse("table", args=[game.table.code])
            self._queue.put_nowait(event("game", {"address": address, "code": game.table.code}))


@require_safe
async def events(request: HttpRequest) -> StreamingHttpResponse:
    """An endless stream for a page: `seeks` with new and changed cards and the codes of those that are gone,
    `mine` when something of the viewer's own has changed, `game` with the address of their new table."""
    asked = Filter(request.GET.get("game", ""), request.GET.get("pace", ""))
    guest = await sync_to_async(guest_of)(request)
    listener = await _listener(request, guest, asked, SeekCard.html, f"page {asked.game} {asked.pace}")
    return stream_response(listener.events())


@require_safe
async def api_events(request: HttpRequest) -> HttpResponseBase:
    """The same stream for a program, identified by its token, with seeks in the API's format."""
    from kakomi.server.lobby.api import seek_out
    from kakomi.server.site.api import denied_response  # imports ninja, which pages don't need

    try:
        guest = await sync_to_async(_guest_of_program)(request)
    except Denied as error:
        return denied_response(error)
    owner = f"program of {guest.pk if guest else None}"  # not shared: only owners see who is challenged

    def shown(card: SeekCard, visitor: Visitor) -> object:
        return seek_out(card.seek, visitor).model_dump(mode="json")

    return stream_response((await _listener(request, guest, Filter(), shown, owner)).events())


@require_POST
def sign_of_life(request: HttpRequest) -> HttpResponse:
    """Record that the page with the posted stream name is still open."""
    guest = guest_of(request)
    if guest:
        MESSAGES.note_life(feed.topic_of(guest.pk), request.POST.get("stream", "")[:40])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _guest_of_program(request: HttpRequest) -> Guest | None:
    from kakomi.server.accounts.auth import Token  # imports ninja

    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return Token("lobby").authenticate(request, token) if scheme.lower() == "bearer" else guest_of(request)


async def _listener(
    request: HttpRequest, guest: Guest | None, asked: Filter, show: Show, name: str
) -> Listener:
    after = whole_number(request.GET.get("after"), digits=15)

    def load() -> tuple[Visitor, int]:
        return Visitor.of(guest), selectors.last_game(guest) if after is None else after

    visitor, last = await sync_to_async(load)()
    language, has_list = translation.get_language(), "mine" not in request.GET
    return Listener(visitor, asked, last, language, show, name, has_list)
