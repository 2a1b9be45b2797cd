"""Server-sent events: their format, and a topic's endless stream."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from django.http import StreamingHttpResponse

from kakomi.server.realtime.broker import BROKER
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
    """News of a topic, the latest first, each as the events that `told` makes of its number, with the messages
    for `who` between them. `name` is the stream's; without one it is given one.

    Once no news can be missed, `latest` gives the number of the latest. The stream ends if there is none, and
    with the messages: a page that has fallen silent is told nothing more.
    """
    news, messages = BROKER.news(code), MESSAGES.heard(code, who, name)
    next_news, next_message = asyncio.ensure_future(anext(news)), asyncio.ensure_future(anext(messages, None))
    try:
        await asyncio.sleep(0)  # `news` listens from now on
        number = await latest()
        if number is None:
            return
        BROKER.tell(code, number)
        while True:
            waiting = (next_news, next_message)
            done, _ = await asyncio.wait(waiting, return_when="FIRST_COMPLETED")
            if next_news in done:
                async for text in told(next_news.result()):
                    yield text
                next_news = asyncio.ensure_future(anext(news))
            if next_message in done:
                if (heard := next_message.result()) is None:
                    return
                for each, content in heard.items():
                    yield event(each, await present(each, content))
                next_message = asyncio.ensure_future(anext(messages, None))
    finally:
        next_news.cancel()
        next_message.cancel()
        await asyncio.wait([next_news, next_message])
        await news.aclose()
        await messages.aclose()
