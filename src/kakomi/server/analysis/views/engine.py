"""What engines find at a node, as server-sent events."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Hashable
from typing import Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.core import Position
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis.desk import Asked, News, desk
from kakomi.server.analysis.growing import actions_to
from kakomi.server.analysis.shown import Shown
from kakomi.server.analysis.told import Told
from kakomi.server.analysis.views.looking import found, node_in, shown_to, unless_hidden
from kakomi.server.language import translate
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event, event_stream_response


async def engine(request: HttpRequest, code: str) -> HttpResponse | StreamingHttpResponse:
    """Events `found` until there is no more to find, then `end` with the reason."""
    begun = await sync_to_async(_begun)(request, code)
    return begun if isinstance(begun, HttpResponse) else event_stream_response(_stream(*begun))


_Begun = tuple[Shown, Hashable, str]


def _begun(request: HttpRequest, code: str) -> "HttpResponse | _Begun":
    """What is to be looked at and for whom; an answer if nothing is."""
    seen: list[_Begun] = []

    @require_safe
    @unless_hidden
    def look(request: HttpRequest, code: str) -> HttpResponse:
        guest = guest_of(request)
        asker = f"guest {guest.pk}" if guest else f"address {request.META.get('REMOTE_ADDR', '')}"
        shown = shown_to(request, found(request, code), node_in(request.GET.get("node")))
        _ = shown.position, shown.is_own
        seen.append((shown, asker, translation.get_language()))
        return HttpResponse()

    answer = look(request, code)
    return seen[0] if seen else answer


async def _stream(shown: Shown, asker: Hashable, language: str) -> AsyncIterator[str]:
    position = shown.position
    if position.is_over:
        yield event("end", {"reason": "over", "state": _say("The game is over.", language)})
        return
    game = position.game
    asked = Asked(game.name, tuple(game.options.items()), actions_to(shown.record, shown.node))
    yield "retry: 3000\n\n"
    async with contextlib.aclosing(desk().watch(asker, asked)) as watched:
        waiting = asyncio.ensure_future(anext(watched, None))
        try:
            while True:
                done, _ = await asyncio.wait([waiting], timeout=HEARTBEAT_SECONDS)
                if not done:
                    yield HEARTBEAT
                    continue
                news = waiting.result()
                if news is None:
                    return
                yield _told(news, position, shown, language)
                if news.ended:
                    return
                waiting = asyncio.ensure_future(anext(watched, None))
        finally:
            waiting.cancel()
            await asyncio.wait([waiting])


def _told(news: News, position: Position, shown: Shown, language: str) -> str:
    with translation.override(language):
        data: dict[str, Any] = {"node": shown.node}
        if news.analysis:
            data |= Told(position, news.analysis).as_data(shown.turned, shown.is_own)
        if not news.ended:
            return event("found", data)
        data["reason"] = news.ended
        if news.ended == "elsewhere":
            data["state"] = gettext("The engine looks at another position for you now.")
        elif news.ended == "failed":
            data["state"] = gettext("The engine failed: {trouble}").format(trouble=translate(news.trouble))
        return event("end", data)


def _say(text: str, language: str) -> str:
    with translation.override(language):
        return gettext(text)
