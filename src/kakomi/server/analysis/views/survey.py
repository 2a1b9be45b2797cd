"""The win chances over a whole game: asked for, stopped, and shown as they come."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import replace

from kakomi.core.i18n import lazy_message
from kakomi.records import Record, write_json
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis import store
from kakomi.server.analysis.models import Study, Survey
from kakomi.server.analysis.views.looking import found, shown_to, unless_hidden
from kakomi.server.database import writing
from kakomi.server.language import why
from kakomi.session import Refused
from kakomi.study.analysis import page_stylesheet

MOST_PLIES = 1_500
"""A longer game would keep the engines from everybody else for too long."""
MOST_AT_ONCE = 2
"""Surveys of one guest that wait or are being done."""


@require_http_methods(["GET", "HEAD", "POST"])
@unless_hidden
def survey(request: HttpRequest, code: str) -> HttpResponse:
    """How far it has come; a POST starts or stops it first."""
    study = found(request, code)
    status, refusal = HTTPStatus.OK, ""
    if request.method == "POST":
        try:
            _do(request, study)
        except Refused as error:
            status, refusal = HTTPStatus.UNPROCESSABLE_ENTITY, why(error)
    if request.method == "POST" and not request.htmx and not refusal:  # type: ignore[attr-defined]
        return redirect("study", code)
    shown = shown_to(request, study, 0)
    context = {"shown": shown, "survey": shown.survey, "refusal": refusal}
    return render(request, "analysis/_survey.html", context, status=status)


@require_safe
@cache_control(max_age=3600)
def chart_style(request: HttpRequest) -> HttpResponse:
    """What plots of win chances look like."""
    del request
    return HttpResponse(page_stylesheet(), content_type="text/css")


def _do(request: HttpRequest, study: Study) -> None:
    guest = guest_of(request)
    if guest is None or guest.pk != study.owner_id or study.is_deleted:
        raise Refused(lazy_message("only its owner has a study's game analysed: copy it to your own"))
    if request.POST.get("do") == "stop":
        Survey.objects.filter(study=study, state=Survey.State.RUNNING).update(state=Survey.State.STOPPED)
        return
    _start(study, store.record_of(study))


def _start(study: Study, record: Record) -> None:
    """Have the main line analysed, from where it was left if it is the same."""
    plies = sum(len(turn.actions) for turn in record.turns[: record.length])
    if not plies:
        raise Refused(lazy_message("nothing has been played yet: there is nothing to analyse"))
    if plies > MOST_PLIES:
        raise Refused(
            lazy_message(
                "a game of {plies:,} actions is too long for this: {most:,} are the most",
                plies=plies,
                most=MOST_PLIES,
            )
        )
    running = Survey.objects.filter(study__owner=study.owner, state=Survey.State.RUNNING).exclude(study=study)
    if running.count() >= MOST_AT_ONCE:
        raise Refused(
            lazy_message("two of your games are being analysed already: wait for them, or stop one")
        )
    main_line = replace(record, turns=record.turns[: record.length], comment="")
    text = write_json(main_line).decode()
    with writing():
        known = Survey.objects.select_for_update().filter(study=study).first() or Survey(study=study)
        if known.pk and known.state == Survey.State.RUNNING and known.record == text:
            return
        known.record, known.state, known.trouble = text, Survey.State.RUNNING, ""
        known.stage, known.done, known.total, known.seen_at = "", 0, 0, 0.0
        known.answers = _still_valid(known.answers)
        known.save()


def _still_valid(answers: dict[str, object]) -> dict[str, object]:
    """Answers name positions, not places in a game; too many that are not asked for any more are dropped."""
    return answers if len(answers) <= 4 * MOST_PLIES else {}
