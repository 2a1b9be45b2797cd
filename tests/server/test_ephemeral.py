"""What a table's stream of events tells besides news, and to whom."""

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest
from asgiref.sync import sync_to_async

from kakomi.server.realtime.ephemeral import PRESENCE, SIGN_OF_LIFE, STREAM, EphemeralMessages
from kakomi.server.tables.event_stream import _data, _stream, latest_news
from kakomi.server.tables.seats import THINKING, BotProgress
from server.table_client import Person, opened

PATIENCE = 60.0
pytestmark = pytest.mark.django_db(transaction=True)


async def told(stream: AsyncGenerator[str, None], kind: str) -> object:
    """The data of the next event of a kind."""
    async with asyncio.timeout(PATIENCE):
        async for event in stream:
            lines = dict(line.split(": ", 1) for line in event.splitlines() if line)
            if lines.get("event") == kind:
                return json.loads(lines["data"])
    raise AssertionError("the stream has ended")


def test_a_turn_that_is_put_together_is_told_to_its_players_own_pages() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=8)
    ann.do(row, "touch 1,1")

    async def story() -> None:
        viewers = (bob.guest.pk, bob.guest.pk, ann.guest.pk, None)
        own, own_too, other, watching = streams = [_stream(row.code, who) for who in viewers]
        for stream in streams:
            assert await told(stream, "table") == 1
        await sync_to_async(bob.do)(row, "touch 2,2")
        assert [await told(stream, "draft") for stream in (own, own_too)] == [{"seen": "2,2"}] * 2
        await sync_to_async(bob.do)(row, "untouch")
        assert await told(own, "draft") == {"seen": ""}
        await sync_to_async(bob.do)(row, "touch 3,3")
        await sync_to_async(bob.do)(row, "touch 4,4")
        await sync_to_async(bob.do)(row, "confirm")
        for stream in (other, watching):
            async with asyncio.timeout(PATIENCE):
                while "event: table" not in (event := await anext(stream)):
                    assert "draft" not in event
        for stream in streams:
            await stream.aclose()

    asyncio.run(story())


def test_a_page_that_answered_and_fell_silent_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kakomi.server.realtime.ephemeral.SILENCE_SECONDS", 0.05)

    async def story() -> None:
        messages = EphemeralMessages()
        page, program = messages.messages("table", 1), messages.messages("table", 2)
        name = str((await anext(page))[STREAM])
        assert (await anext(program))[PRESENCE] == {1, 2}
        messages.note_life("table", name)
        async with asyncio.timeout(PATIENCE):
            async for _ in page:
                pass
            assert await anext(program) == {PRESENCE: {2}}  # one that never answered stays
        assert messages.present("table") == {2}
        await program.aclose()

    asyncio.run(story())


def test_a_sign_of_life_reaches_the_process_of_the_stream() -> None:
    async def story() -> None:
        here, there = EphemeralMessages(), EphemeralMessages()
        signs: list[object] = []
        here.forwarders.append(lambda *message: signs.append(message[:3]))
        page = there.messages("table", 1)
        name = str((await anext(page))[STREAM])
        here.note_life("table", name)
        assert signs == [("table", SIGN_OF_LIFE, name)]
        assert there.note_life_here("table", name) and not here.note_life_here("table", name)
        await page.aclose()

    asyncio.run(story())


def test_how_far_a_bot_has_come_is_told_in_hundredths() -> None:
    row = opened(Person("Ann"), Person("Bob"), size=8)

    async def story() -> None:
        assert await _data(row.code, THINKING, BotProgress(1, 1 / 3)) == {"seat": 1, "progress": 0.33}
        with pytest.raises(ValueError, match="nobody tells 7 as 'thinking'"):
            await _data(row.code, THINKING, 7)

    asyncio.run(story())
    assert latest_news([row.code, "nowhere"]) == {row.code: row.news}
    assert latest_news([]) == {}


def test_a_page_says_that_it_is_there() -> None:
    ann, bob = Person("Ann"), Person("Bob")
    row = opened(ann, bob, size=8)
    assert ann.client.post(f"/table/{row.code}/here", {"stream": "x" * 100}).status_code == 204
    assert ann.client.get(f"/table/{row.code}/here").status_code == 405
