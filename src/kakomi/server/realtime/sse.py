"""Server-sent events: their format, and a topic's endless stream."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from django.http import StreamingHttpResponse

from kakomi.server.realtime.broker import BROKER, ThreadEvent
from kakomi.server.realtime.ephemeral import MESSAGES

HEARTBEAT_SECONDS = 4
"""The interval after which an idle stream sends HEARTBEAT, so that both sides detect dead connections. A page
considers its connection lost when it has received nothing for more than two intervals."""
HEARTBEAT = "event: beat\ndata: null\n\n"

Present = Callable[[str, object], Awaitable[object]]
"""Converts a message's kind and content to JSON-compatible data."""


def event(kind: str, data: object) -> str:
    """Format an event with JSON-compatible data."""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def event_stream_response(events: AsyncGenerator[str, None]) -> StreamingHttpResponse:
    """A response that streams events, and heartbeats while there are none."""
    return stream_response(_with_heartbeats(events))


def stream_response(events: AsyncIterator[str]) -> StreamingHttpResponse:
    """A response that streams events that already include heartbeats."""
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # for proxies that would buffer the stream
    return response


async def _with_heartbeats(events: AsyncGenerator[str, None]) -> AsyncIterator[str]:
    waiting = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            done, _ = await asyncio.wait([waiting], timeout=HEARTBEAT_SECONDS)
            if not done:
                yield HEARTBEAT
                continue
            text = waiting.result()
            if text is None:
                return
            yield text
            waiting = asyncio.ensure_future(anext(events, None))
    finally:
        waiting.cancel()
        await asyncio.wait([waiting])
        await events.aclose()


async def topic_events(
    code: str,
    who: int | None,
    events_of: Callable[[int], AsyncIterator[str]],
    latest: Callable[[], Awaitable[int | None]],
    to_json: Present,
    name: str = "",
) -> AsyncGenerator[str, None]:
    """The events of a topic's news, beginning with the current one, and of its messages for `who`.

    `events_of` makes events of a news number, `to_json` converts messages. `name` is the stream's; it may be
    empty.

    After subscribing, so that no news can be missed, the stream calls `latest` for the number of the current
    news. It ends if that is None, or when the page stops sending signs of life. It includes heartbeats.
    """
    wake = ThreadEvent()
    with BROKER.listening(code, wake) as news, MESSAGES.listening(code, who, wake, name) as messages:
        number = await latest()
        if number is None:
            return
        BROKER.tell(code, number)
        said_at = time.monotonic()
        while not messages.has_gone:
            is_silent = True
            if (number := news.take_pending()) is not None:
                async for text in events_of(number):
                    yield text
                is_silent = False
            for kind, content in messages.take_pending().items():
                yield event(kind, await to_json(kind, content))
                is_silent = False
            left = said_at + HEARTBEAT_SECONDS - time.monotonic()
            if is_silent and left > 0:
                await wake.wait(left if messages.patience is None else min(left, messages.patience))
                continue
            if is_silent:
                yield HEARTBEAT
            said_at = time.monotonic()
