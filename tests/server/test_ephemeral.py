"""What a table's stream of events tells besides news, and to whom."""

import asyncio
import json
from collections.abc import AsyncGenerator

import pytest
from asgiref.sync import sync_to_async

from kakomi.server.tables.event_stream import _stream
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
