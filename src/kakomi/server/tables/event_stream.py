"""News of a table as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, Sequence, Set

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.realtime.broker import BROKER
from kakomi.server.realtime.ephemeral import DRAFT, MESSAGES, PRESENCE
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event, event_stream_response
from kakomi.server.tables import models
from kakomi.server.tables.bot_progress import THINKING, BotProgress


async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of the numbers of a table's latest news; whoever reconnects begins with it again.

    Between them `presence` says which seats' guests are there, and whether somebody watches, `thinking` how
    far a bot has come, and `draft`, to the guest's own pages alone, what turn they have put together so far.
    """
    guest = await sync_to_async(guest_of)(request)
    return event_stream_response(_stream(code, guest.pk if guest else None))


async def _stream(code: str, guest: int | None = None) -> AsyncGenerator[str, None]:
    news, whispers = BROKER.news(code), MESSAGES.heard(code, guest)
    next_news, next_whisper = asyncio.ensure_future(anext(news)), asyncio.ensure_future(anext(whispers))
    try:
        # Whoever comes back after a lost connection hears at once how far the game is.
        await asyncio.sleep(0)  # `news` listens from now on
        latest = await models.Table.objects.filter(code=code).values_list("news", flat=True).afirst()
        if latest is None:
            return
        BROKER.tell(code, latest)
        while True:
            waiting = (next_news, next_whisper)
            done, _ = await asyncio.wait(waiting, timeout=HEARTBEAT_SECONDS, return_when="FIRST_COMPLETED")
            if not done:
                yield HEARTBEAT
            if next_news in done:
                yield f"id: {next_news.result()}\n{event('table', next_news.result())}"
                next_news = asyncio.ensure_future(anext(news))
            if next_whisper in done:
                for kind, content in next_whisper.result().items():
                    yield event(kind, await _told(code, kind, content))
                next_whisper = asyncio.ensure_future(anext(whispers))
    finally:
        next_news.cancel()
        next_whisper.cancel()
        await asyncio.wait([next_news, next_whisper])
        await news.aclose()
        await whispers.aclose()


async def _told(code: str, kind: str, content: object) -> dict[str, object]:
    """A whisper as data that JSON can hold."""
    if kind == PRESENCE and isinstance(content, Set):
        return await _present(code, content)
    if kind == THINKING and isinstance(content, BotProgress):
        return content.to_json()
    if kind == DRAFT and isinstance(content, Sequence):
        return {"seen": " ".join(content)}
    raise ValueError(f"nobody whispers {content!r} as {kind!r}")


async def _present(code: str, guests: Set[object]) -> dict[str, object]:
    seats = models.Seat.objects.filter(table__code=code, guest__isnull=False)
    owners = [pair async for pair in seats.values_list("number", "guest_id")]
    return {
        "seats": [number for number, guest in owners if guest in guests],
        "others": bool(guests - {guest for _, guest in owners}),
    }
