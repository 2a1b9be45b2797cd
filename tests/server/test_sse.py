"""A stream that has nothing to say is kept alive, and ends with its source."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from kakomi.server.realtime import sse


def test_a_stream_that_has_nothing_to_say_beats_and_still_says_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.01)
    go_on, ended = asyncio.Event(), []

    async def slow() -> AsyncGenerator[str, None]:
        try:
            yield sse.event("first", 1)
            await go_on.wait()
            yield sse.event("second", 2)
        finally:
            ended.append(True)

    async def scenario() -> list[str]:
        found = []
        async for part in sse.event_stream_response(slow()):
            found.append(part.decode())
            if found[-1] == sse.HEARTBEAT:
                go_on.set()
        return found

    found = asyncio.run(scenario())
    assert found[0] == sse.event("first", 1) and found[-1] == sse.event("second", 2)
    assert set(found[1:-1]) == {sse.HEARTBEAT} and ended


def test_leaving_a_stream_ends_its_source() -> None:
    ended = []

    async def endless() -> AsyncGenerator[str, None]:
        try:
            yield sse.event("first", 1)
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def scenario() -> None:
        stream = sse._with_heartbeats(endless())
        assert await anext(stream) == sse.event("first", 1)
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(scenario())
    assert ended
