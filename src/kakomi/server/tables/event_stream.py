"""News of a table as server-sent events."""

from collections.abc import AsyncGenerator, Sequence, Set
from functools import partial

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.database import outside_requests
from kakomi.server.realtime.ephemeral import PRESENCE
from kakomi.server.realtime.sse import event_stream_response, topic_events
from kakomi.server.tables import models
from kakomi.server.tables.messages import DRAFT, THINKING, BotProgress


async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of the numbers of a table's latest news; whoever reconnects begins with it again.

    Between them `presence` says which seats' guests are there, and whether somebody watches, `thinking` how
    far a bot has come, and `draft`, to the guest's own pages alone, what turn they have put together so far.
    """
    guest = await sync_to_async(guest_of)(request)
    return event_stream_response(_stream(code, guest.pk if guest else None))


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of some tables' latest news, as the database has them."""
    return dict(models.Table.objects.filter(code__in=codes).values_list("code", "news"))


def _stream(code: str, guest: int | None = None) -> AsyncGenerator[str, None]:
    async def latest() -> int | None:
        return await models.Table.objects.filter(code=code).values_list("news", flat=True).afirst()

    return topic_events(code, guest, "table", latest, partial(_data, code))


async def _data(code: str, kind: str, content: object) -> dict[str, object]:
    """A message as data that JSON can hold."""
    if kind == PRESENCE and isinstance(content, Set):
        return await _present(code, content)
    if kind == THINKING and isinstance(content, BotProgress):
        return content.to_json()
    if kind == DRAFT and isinstance(content, Sequence):
        return {"seen": " ".join(content)}
    raise ValueError(f"nobody tells {content!r} as {kind!r}")


async def _present(code: str, guests: Set[object]) -> dict[str, object]:
    seats = models.Seat.objects.filter(table__code=code, guest__isnull=False)
    owners = [pair async for pair in seats.values_list("number", "guest_id")]
    return {
        "seats": [number for number, guest in owners if guest in guests],
        "others": bool(guests - {guest for _, guest in owners}),
    }
