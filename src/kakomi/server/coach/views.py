"""A coach's advice as it comes: an event stream that thinks only while somebody listens."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, StreamingHttpResponse
from django.utils import translation
from django.utils.translation import gettext

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis.live_analysis import AnalysisUpdate, shared_live_analysis
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.coach.coaching import Advice, AdviceInterruptedError, Coach, Situation, situation_of
from kakomi.server.coach.presenters import AdviceView
from kakomi.server.engines import shared_pool
from kakomi.server.language import translate
from kakomi.server.realtime.sse import event, event_stream_response
from kakomi.server.tables import selectors
from kakomi.server.tables.permissions import Viewer


@dataclass(frozen=True)
class _Listener:
    """Who listens to the coach, and to what."""

    situation: Situation | None
    """None if there is nothing to judge yet."""
    guest: int
    turned: int
    language: str


async def advice(request: HttpRequest, code: str) -> HttpResponse | StreamingHttpResponse:
    """Events `advice` with what is known, then `end`, with a sentence where that came early.

    Only for the one person at a table with bots, and not while a rating is at stake.
    """
    if request.method != "GET":
        return HttpResponseNotAllowed(["GET"])
    listener = await sync_to_async(_listener)(request, code)
    if listener is None:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    return event_stream_response(_stream(listener))


def _listener(request: HttpRequest, code: str) -> _Listener | None:
    row = selectors.find_table(code)
    viewer = Viewer.of(row, guest_of(request))
    if not viewer.is_alone or viewer.guest is None or row.is_rated:
        return None
    situation = situation_of(row, selectors.table_of(row), viewer)
    preferences = ViewPreferences.kept(request.session, row.game) or ViewPreferences()
    turns = situation.position.game.geometry.turns if situation else 1
    return _Listener(situation, viewer.guest.pk, preferences.turned % turns, translation.get_language())


async def _stream(listener: _Listener) -> AsyncGenerator[str, None]:
    if listener.situation is None:
        with translation.override(listener.language):
            words = gettext("The coach speaks while you have stones to play.")
        yield event("end", {"state": words})
        return
    yield "retry: 3000\n\n"
    if shared_pool().is_preparing(listener.situation.position.game.name):
        with translation.override(listener.language):
            words = gettext("This machine prepares the game, once; then the coach begins.")
        yield event("advice", {"chance": {"html": words}})
        return  # and the page asks again
    coach = Coach(listener.situation, f"guest {listener.guest}", shared_live_analysis())
    try:
        async with contextlib.aclosing(coach.advice()) as advised:
            async for known in advised:
                yield await asyncio.to_thread(_event, known, listener)
    except AdviceInterruptedError as interrupted:
        yield event("end", {"state": _why(interrupted.update, listener.language)})
    else:
        yield event("end", {})


def _event(known: Advice, listener: _Listener) -> str:
    with translation.override(listener.language):
        return event("advice", AdviceView(known, listener.turned).as_data())


def _why(update: AnalysisUpdate, language: str) -> str:
    with translation.override(language):
        if update.ended == "elsewhere":
            return gettext("The engine looks at another position for you now.")
        return gettext("The engine failed: {reason}").format(reason=translate(update.error))
