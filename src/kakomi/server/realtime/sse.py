"""Server-sent events: their format, and a topic's endless stream."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from django.http import StreamingHttpResponse

from kakomi.server.realtime.broker import BROKER, ThreadEvent
from kakomi.server.realtime.ephemeral import MESSAGES

HEARTBEAT_SECONDS = 4
"""A stream that has had nothing to say for so long says HEARTBEAT, so that neither side keeps a connection
that is dead. A page that hears nothing for more than two of them takes its connection for lost."""
HEARTBEAT = "event: beat\ndata: null\n\n"

Present = Callable[[str, object], Awaitable[object]]
"""Makes data that JSON can hold of a message's kind and content."""


def event(kind: str, data: object) -> str:
    """An event with data that JSON can hold."""
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n"


def event_stream_response(events: AsyncGenerator[str, None]) -> StreamingHttpResponse:
    """A response that sends events as they come, and heartbeats where none do."""
    return stream_response(_with_heartbeats(events))


def stream_response(events: AsyncIterator[str]) -> StreamingHttpResponse:
    """A response that sends events which have their heartbeats already."""
    response = StreamingHttpResponse(events, content_type="text/event-stream")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # for proxies that would wait for more
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
    told: Callable[[int], AsyncIterator[str]],
    latest: Callable[[], Awaitable[int | None]],
    present: Present,
    name: str = "",
) -> AsyncGenerator[str, None]:
    """News of a topic, the latest first, each as the events that `told` makes of its number.

    Between them are the messages for `who`. `name` is the stream's; without one it is given one.

    Once no news can be missed, `latest` gives the number of the latest. The stream ends if there is none, and
    with the messages: a page that has fallen silent is told nothing more. It has its own heartbeats.
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
            if (number := news.unheard()) is not None:
                async for text in told(number):
                    yield text
                is_silent = False
            for kind, content in messages.unheard().items():
                yield event(kind, await present(kind, content))
                is_silent = False
            left = said_at + HEARTBEAT_SECONDS - time.monotonic()
            if is_silent and left > 0:
                await wake.wait(left if messages.patience is None else min(left, messages.patience))
                continue
            if is_silent:
                yield HEARTBEAT
            said_at = time.monotonic()
