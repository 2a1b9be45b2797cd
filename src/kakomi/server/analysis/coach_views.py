"""The coach's advice for a table's page. Engines work only while the page waits for it."""

import contextlib
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis.coach import (
    AdviceInterruptedError,
    AdviceView,
    Coach,
    DeviceCoach,
    Situation,
    Wanted,
    read_reports,
    situation_of,
)
from kakomi.server.analysis.live_analysis import AnalysisUpdate, shared_live_analysis
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.site.language import translate
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import selectors
from kakomi.server.tables.permissions import Viewer


@require_POST
async def advice(request: HttpRequest, code: str) -> HttpResponse:
    """Advice as data for the page's script. Only for the sole person at an unrated table with bots; else 403.

    A page with an engine sends its reports so far, and gets the advice that follows, with the next question.
    For another page, engines here search. There is advice in several steps, and `step` is the one it wants.
    """
    viewer, situation, turned = await sync_to_async(_asked)(request, code)
    if viewer is None:
        return HttpResponse(status=HTTPStatus.FORBIDDEN)
    if situation is None:
        return JsonResponse({"state": gettext("The coach helps when it’s your turn.")})
    step = whole_number(request.GET.get("step"))
    if step is not None:
        return JsonResponse(await _advice(Coach(situation, viewer, shared_live_analysis()), turned, step))
    try:
        reports = read_reports(request.body, situation.position.game)
    except (msgspec.DecodeError, ValueError):
        return HttpResponse(status=HTTPStatus.UNPROCESSABLE_ENTITY)
    situation = replace(situation, answers={**situation.answers, **reports})
    return JsonResponse(await _advice(DeviceCoach(situation, viewer, shared_live_analysis()), turned))


def _asked(request: HttpRequest, code: str) -> tuple[str | None, Situation | None, int]:
    """A key for the viewer, None if they may have no coach; what to judge, None if there is nothing yet; and
    how their board is rotated."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, guest_of(request))
    if not viewer.is_alone or viewer.guest is None or row.is_rated:
        return None, None, 0
    situation = situation_of(row, selectors.table_of(row), viewer)
    preferences = ViewPreferences.saved(request.session, row.game) or ViewPreferences()
    turns = situation.position.game.geometry.turns if situation else 1
    return f"guest {viewer.guest.pk}", situation, preferences.turned % turns


async def _advice(coach: Coach, turned: int, step: int | None = None) -> dict[str, Any]:
    """A coach's advice up to a step, and the number of the next step if there is one."""
    found: dict[str, Any] = {}
    number = 0
    try:
        async with contextlib.aclosing(coach.advice()) as advised:
            async for known in advised:
                view = AdviceView(known, turned, step is None)
                found["advice"] = await sync_to_async(view.as_data, thread_sensitive=False)()
                if number == step:
                    return found | {"step": step + 1}
                number += 1
    except Wanted as wanted:
        found |= {"wanted": wanted.key, "question": wanted.question}
    except AdviceInterruptedError as interrupted:
        found["state"] = _why(interrupted.update)
    return found


def _why(update: AnalysisUpdate) -> str:
    if update.ended == "elsewhere":
        return gettext("The engine is now analysing another position for you.")
    return gettext("Engine error: {reason}").format(reason=translate(update.error))


urlpatterns = [path("table/<slug:code>/coach", advice, name="coach")]
