"""Open pages of the lobby, and what they are told: as little work for each as there can be.

One task of a process waits for news of the list and hands every page its text, which is made once for all who
see the same. So a thousand pages cost little more than sending.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Hashable
from dataclasses import dataclass, field

from asgiref.sync import sync_to_async
from django.urls import reverse
from django.utils import translation

from kakomi.server.database import outside_requests
from kakomi.server.lobby import news, selectors
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import FEED, Changes, Filter
from kakomi.server.lobby.presenters import SeekCard
from kakomi.server.realtime import BROKER
from kakomi.server.realtime.ephemeral import MESSAGES, STREAM
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event

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
