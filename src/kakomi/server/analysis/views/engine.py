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
from kakomi.server.analysis.analysis_view import AnalysisView
from kakomi.server.analysis.forms import parse_node
from kakomi.server.analysis.live_analysis import AnalysisUpdate, PositionQuery, shared_live_analysis
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.analysis.study_edit import actions_to
from kakomi.server.analysis.views.common import find_study, hides_running_games, presenter_for
from kakomi.server.language import translate
from kakomi.server.realtime.sse import HEARTBEAT, HEARTBEAT_SECONDS, event, event_stream_response


async def engine(request: HttpRequest, code: str) -> HttpResponse | StreamingHttpResponse:
    """Events `found` until there is no more to find, then `end` with the reason."""
    prepared = await sync_to_async(_prepare)(request, code)
    return prepared if isinstance(prepared, HttpResponse) else event_stream_response(_stream(*prepared))


_Prepared = tuple[StudyPresenter, Hashable, str]


def _prepare(request: HttpRequest, code: str) -> "HttpResponse | _Prepared":
    """What is to be looked at and for whom; an answer if nothing is."""
    seen: list[_Prepared] = []

    @require_safe
    @hides_running_games
    def look(request: HttpRequest, code: str) -> HttpResponse:
        guest = guest_of(request)
        asker = f"guest {guest.pk}" if guest else f"address {request.META.get('REMOTE_ADDR', '')}"
        presenter = presenter_for(request, find_study(request, code), parse_node(request.GET.get("node")))
        _ = presenter.position, presenter.is_own
        seen.append((presenter, asker, translation.get_language()))
        return HttpResponse()

    answer = look(request, code)
    return seen[0] if seen else answer


async def _stream(presenter: StudyPresenter, asker: Hashable, language: str) -> AsyncIterator[str]:
    position = presenter.position
    if position.is_over:
        yield event("end", {"reason": "over", "state": _in_language("The game is over.", language)})
        return
    game = position.game
    query = PositionQuery(
        game.name, tuple(game.options.items()), actions_to(presenter.record, presenter.node)
    )
    yield "retry: 3000\n\n"
    async with contextlib.aclosing(shared_live_analysis().watch(asker, query)) as watched:
        waiting = asyncio.ensure_future(anext(watched, None))
        try:
            while True:
                done, _ = await asyncio.wait([waiting], timeout=HEARTBEAT_SECONDS)
                if not done:
                    yield HEARTBEAT
                    continue
                update = waiting.result()
                if update is None:
                    return
                yield _event(update, position, presenter, language)
                if update.ended:
                    return
                waiting = asyncio.ensure_future(anext(watched, None))
        finally:
            waiting.cancel()
            await asyncio.wait([waiting])


def _event(update: AnalysisUpdate, position: Position, presenter: StudyPresenter, language: str) -> str:
    with translation.override(language):
        data: dict[str, Any] = {"node": presenter.node}
        if update.analysis:
            data |= AnalysisView(position, update.analysis).as_data(presenter.board.turned, presenter.is_own)
        if not update.ended:
            return event("found", data)
        data["reason"] = update.ended
        if update.ended == "elsewhere":
            data["state"] = gettext("The engine looks at another position for you now.")
        elif update.ended == "failed":
            data["state"] = gettext("The engine failed: {trouble}").format(trouble=translate(update.error))
        return event("end", data)


def _in_language(text: str, language: str) -> str:
    with translation.override(language):
        return gettext(text)
