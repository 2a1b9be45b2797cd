"""Events at a table, sent by the server: news, bots' progress, turns being put together."""

import threading
import time
from collections.abc import AsyncGenerator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_POST

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.database import outside_requests
from kakomi.server.realtime.ephemeral import MESSAGES, PRESENCE, STREAM, EphemeralMessages, message_kind
from kakomi.server.realtime.sse import event_stream_response, topic_events
from kakomi.server.tables import models

DRAFT = message_kind("draft", tuple[str, ...])
"""A guest has put an action to a turn of theirs, or taken one back; with it come the turn's actions."""
ASIDE = message_kind("aside", int)
"""What stands beside a guest's board has changed, on another page of theirs; with it comes its version."""
SECONDS_BETWEEN = 0.5
"""Seconds between two reports on the same bot."""


@dataclass(frozen=True)
class BotProgress:
    """A bot's progress with its decision."""

    seat: int
    progress: float
    """From 0 to 1."""

    def to_json(self) -> dict[str, object]:
        """As data that JSON can hold."""
        return {"seat": self.seat, "progress": round(self.progress, 2)}


THINKING = message_kind("thinking", BotProgress)
"""The kind of messages about a bot's progress."""


class BotProgressCache:
    """The latest progress of a bot at every table of this process."""

    def __init__(self, messages: EphemeralMessages = MESSAGES) -> None:
        self._messages = messages
        self._lock = threading.Lock()
        self._latest: dict[str, BotProgress] = {}
        self._told_at: dict[str, float] = {}

    def note(self, code: str, thinking: BotProgress) -> None:
        """Keep a bot's progress, and tell the listeners if it is time."""
        now = time.monotonic()
        with self._lock:
            self._latest[code] = thinking
            is_early = now - self._told_at.get(code, 0.0) < SECONDS_BETWEEN
            if not is_early:
                self._told_at[code] = now
        if not is_early:
            self._messages.tell(code, THINKING, thinking)

    def forget(self, code: str) -> None:
        """The bot has decided."""
        with self._lock:
            self._latest.pop(code, None)
            self._told_at.pop(code, None)

    def at(self, code: str) -> BotProgress | None:
        """The progress of the bot at a table, if one thinks."""
        with self._lock:
            return self._latest.get(code)


BOT_PROGRESS = BotProgressCache()
"""This process's."""


async def events(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """An endless stream of the numbers of a table's latest news; whoever reconnects begins with it again.

    Between them `presence` says which seats' guests are there, and whether somebody watches, `thinking` how
    far a bot has come. The guest's own pages alone hear by `draft` what turn they have put together so far,
    and by `aside` that what stands beside their board has changed. `stream` is the name for signs of life.
    """
    guest = await sync_to_async(guest_of)(request)
    return event_stream_response(_stream(code, guest.pk if guest else None))


@require_POST
async def sign_of_life(request: HttpRequest, code: str) -> HttpResponse:
    """A page says that it is still there, by the name of its stream; one that no longer does has gone."""
    MESSAGES.note_life(code, request.POST.get("stream", "")[:40])
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@outside_requests
def latest_news(codes: Sequence[str]) -> dict[str, int]:
    """The numbers of some tables' latest news, as the database has them."""
    return dict(models.Table.objects.filter(code__in=codes).values_list("code", "news"))


def _stream(code: str, guest: int | None = None) -> AsyncGenerator[str, None]:
    async def latest() -> int | None:
        return await models.Table.objects.filter(code=code).values_list("news", flat=True).afirst()

    return topic_events(code, guest, "table", latest, partial(_data, code))


async def _data(code: str, kind: str, content: object) -> object:
    """A message as data that JSON can hold."""
    if kind == PRESENCE and isinstance(content, Set):
        return await _present(code, content)
    if kind == THINKING and isinstance(content, BotProgress):
        return content.to_json()
    if kind == STREAM and isinstance(content, str):
        return content
    if kind == DRAFT and isinstance(content, Sequence):
        return {"seen": " ".join(content)}
    if kind == ASIDE and isinstance(content, int):
        return content
    raise ValueError(f"nobody tells {content!r} as {kind!r}")


async def _present(code: str, guests: Set[object]) -> dict[str, object]:
    seats = models.Seat.objects.filter(table__code=code, guest__isnull=False)
    owners = [pair async for pair in seats.values_list("number", "guest_id")]
    return {
        "seats": [number for number, guest in owners if guest in guests],
        "others": bool(guests - {guest for _, guest in owners}),
    }
