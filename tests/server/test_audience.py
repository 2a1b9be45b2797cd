"""Pages are sent what they lack with the news: never less than a request would bring, and to nobody else."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db.models import F
from django.test import RequestFactory

from kakomi import catalog
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.sessions import SessionStore
from kakomi.server.realtime.ephemeral import EphemeralMessages
from kakomi.server.realtime.pubsub import EphemeralOutbox
from kakomi.server.tables import event_stream, models, services
from kakomi.server.tables.event_stream import _page, _page_stream
from server.table_client import PART, Person, form_of, opened
from server.table_page import Page, play

PATIENCE = 60.0
pytestmark = pytest.mark.django_db(transaction=True)


class Listening:
    """A table's page that hears of the table."""

    def __init__(self, person: Person, row: models.Table) -> None:
        self.page, self.code, self.asked = Page(person, row), row.code, 0
        asked = {"has": self.page.headers["Kakomi-Etags"], "news": row.news, "game": 1}
        request = RequestFactory().get(f"/table/{row.code}/events", asked)
        request.session = SessionStore(person.client.cookies[settings.SESSION_COOKIE_NAME].value)
        opened_page = _page(request, person.guest.pk)
        assert opened_page is not None
        self.stream: AsyncGenerator[str, None] = _page_stream(row.code, opened_page)
        self.name = opened_page.name

    async def hear(self, news: int) -> str:
        """Go on until the page has heard of some news; the kind of the event that told of it."""
        async with asyncio.timeout(PATIENCE):
            async for event in self.stream:
                lines = dict(line.split(": ", 1) for line in event.splitlines() if line)
                data = json.loads(lines["data"])
                if lines["event"] == "table" and data >= news:
                    return "table"
                if lines["event"] == "shown" and data["news"] >= news:
                    if not self.fits(data["keeps"]):
                        return "misfit"
                    self.page.show(data["html"])
                    return "shown"
        raise AssertionError("the stream has ended")

    def fits(self, keeps: str) -> bool:
        """Whether the page has what has to stand there."""
        return {tuple(pair.split("=")) for pair in keeps.split()} <= set(self.page.etags.items())

    def ask(self) -> None:
        """Fetch what the page lacks, as its scripts do where that doesn't come."""
        headers = {**self.page.headers, "Kakomi-Stream": self.name}
        self.page.take(self.page.client.get(self.page.address, headers=headers))


def telling(
    row: models.Table, *people: Person
) -> Callable[[Callable[[list[Listening]], Awaitable[None]]], None]:
    """Run a story with the pages of some people, all of which listen."""

    def run(story: Callable[[list[Listening]], Awaitable[None]]) -> None:
        async def whole() -> None:
            pages = [await sync_to_async(Listening)(person, row) for person in people]
            for page in pages:
                await page.hear(row.news)
            await story(pages)
            for page in pages:
                await page.stream.aclose()

        asyncio.run(whole())

    return run


def latest(row: models.Table) -> int:
    row.refresh_from_db()
    return row.news


@pytest.mark.parametrize("game", catalog.names())
def test_pages_that_only_listen_are_as_ones_that_are_loaded(game: str) -> None:
    chance, people = random.Random(2), (Person("Ann"), Person("Bob"))
    row = opened(*people, game=game)

    async def story(listening: list[Listening]) -> None:
        pages = [each.page for each in listening]
        for _ in range(12):
            before = await sync_to_async(latest)(row)
            if not await sync_to_async(play)(people, pages, row, chance):
                break
            known = await sync_to_async(latest)(row)
            for each in listening:
                if known == before:  # a turn that isn't confirmed yet: its player's pages ask
                    await sync_to_async(each.ask)()
                else:
                    assert await each.hear(known) == "shown"
                fresh = await sync_to_async(Page)(each.page.person, row)
                assert each.page.seen == fresh.seen

    telling(row, *people, Person())(story)


def test_a_page_whose_answers_came_from_elsewhere_asks() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")

    async def story(listening: list[Listening]) -> None:
        (page,) = listening
        await sync_to_async(ann.do)(row, "touch a1")
        assert await page.hear(1) == "shown"
        page.page.etags["title"] = "another"  # as another process has sent it
        await sync_to_async(bob.do)(row, "touch b3")
        assert await page.hear(2) == "misfit"
        await sync_to_async(page.ask)()
        assert page.page.seen == (await sync_to_async(Page)(bob, row)).seen
        await sync_to_async(ann.do)(row, "touch c5")
        assert await page.hear(3) == "shown"  # what it was sent when it asked is known

    telling(row, bob)(story)


@pytest.mark.parametrize("is_told", [True, False])
def test_what_another_process_answered_is_not_made_again(
    monkeypatch: pytest.MonkeyPatch, *, is_told: bool
) -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")
    monkeypatch.setattr(
        "kakomi.server.tables.views.AUDIENCE", event_stream.Audience()
    )  # of the other process
    messages = EphemeralMessages()
    monkeypatch.setattr("kakomi.server.tables.event_stream.MESSAGES", messages)
    sender, receiver = EphemeralOutbox(messages), EphemeralOutbox(EphemeralMessages())
    sender.open(lambda: None)

    def act(page: Listening) -> None:
        form = {**form_of(ann.look(row)), "kind": "touch a1"}
        headers = {**page.page.headers, "Kakomi-Stream": page.name, **PART}
        page.page.take(ann.client.post(f"/table/{row.code}/act", form, headers=headers))
        for name, message in sender.take().items():
            if is_told:
                receiver.receive(sender.encode(name, message))

    async def story(listening: list[Listening]) -> None:
        page, other = listening
        await sync_to_async(act)(page)
        assert await page.hear(1) == ("table" if is_told else "shown")
        assert await other.hear(1) == "shown"
        await sync_to_async(bob.do)(row, "touch b3")
        assert await page.hear(2) == "shown"
        assert page.page.seen == (await sync_to_async(Page)(ann, row)).seen

    telling(row, ann, bob)(story)


def test_what_isnt_confirmed_is_sent_to_its_player_alone() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=6)
    ann.do(row, "touch 1,1")
    bob.do(row, "touch 2,2")
    row.refresh_from_db()

    async def story(listening: list[Listening]) -> None:
        await sync_to_async(services.tell_viewers)([row.pk])
        own, other, watching = listening
        for page in listening:
            page.page.sent = ""
            assert await page.hear(row.news + 1) == "shown"
        assert 'value="2,2"' in own.page.sent and "not confirmed yet" in own.page.sent
        for page in (other, watching):
            assert "not confirmed yet" not in page.page.sent and 'value="2,2"' not in page.page.sent

    telling(row, bob, ann, Person())(story)


def test_who_has_been_signed_out_is_sent_nothing() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")

    async def story(listening: list[Listening]) -> None:
        await Guest.objects.filter(pk=bob.guest.pk).aupdate(sign_outs=F("sign_outs") + 1)
        await sync_to_async(ann.do)(row, "touch a1")
        assert await listening[0].hear(1) == "table"

    telling(row, bob)(story)


def test_who_looks_back_is_told_of_the_news_alone() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")
    ann.do(row, "touch a1")
    row.refresh_from_db()

    async def story(listening: list[Listening]) -> None:
        (page,) = listening
        page.page.address += "?game=1&ply=0"
        await sync_to_async(page.ask)()
        await sync_to_async(bob.do)(row, "touch b3")
        assert await page.hear(2) == "table"

    telling(row, ann)(story)


def test_nobody_tells_what_anothers_page_shows() -> None:
    ann, bob, stranger = Person("Ann"), Person("Bob"), Person()
    row = opened(ann, bob, game="ren")

    async def story(listening: list[Listening]) -> None:
        (page,) = listening
        headers = {"HX-Request": "true", "Kakomi-Stream": page.name}
        address = f"/table/{row.code}?game=1&ply=0"
        await sync_to_async(stranger.client.get)(address, headers=headers)
        await sync_to_async(ann.do)(row, "touch a1")
        assert await page.hear(1) == "shown"

    telling(row, bob)(story)


def test_what_is_too_long_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "LONGEST", 100)
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")

    async def story(listening: list[Listening]) -> None:
        await sync_to_async(ann.do)(row, "touch a1")
        assert await listening[0].hear(1) == "table"

    telling(row, bob)(story)


def test_who_sees_the_same_is_sent_the_same_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    lacking = event_stream._lacking

    def noted(*given: Any) -> Any:
        made.append(given)
        return lacking(*given)

    monkeypatch.setattr(event_stream, "_lacking", noted)
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, game="ren")

    async def story(listening: list[Listening]) -> None:
        await sync_to_async(ann.do)(row, "touch a1")
        for page in listening:
            assert await page.hear(1) == "shown"
        assert len(made) == 2

    telling(row, bob, Person(), Person(), Person())(story)
