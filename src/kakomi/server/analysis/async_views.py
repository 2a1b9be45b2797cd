"""Asynchronous views: the stream of engine findings, and downloads of studies."""

import contextlib
from collections.abc import AsyncGenerator, Hashable
from http import HTTPStatus
from typing import Any

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.core import Position
from kakomi.core.i18n import lazy_message
from kakomi.records import FORMATS, RecordError, write
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis.forms import parse_node
from kakomi.server.analysis.live_analysis import AnalysisUpdate, PositionQuery, shared_live_analysis
from kakomi.server.analysis.permissions import explains_running_games, find_study
from kakomi.server.analysis.position_presenters import AnalysisView, ProofView, proof_positions
from kakomi.server.analysis.presenters import StudyPresenter, presenter_for
from kakomi.server.analysis.study_tree import actions_to
from kakomi.server.realtime.sse import event, event_stream_response
from kakomi.server.site.exceptions import RenderUnavailable
from kakomi.server.site.language import translate, why
from kakomi.server.site.rendering import RenderJob, shared_render_queue

_TYPES = {
    "json": "application/json",
    "sgf": "application/x-go-sgf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
}


@require_safe
@explains_running_games
async def engine(request: HttpRequest, code: str) -> StreamingHttpResponse:
    """Stream `found` events while the engine works, then `end` with the reason.

    The solver's proofs come first (it searches longer with `proof=far`), then the findings of a search.
    """
    presenter, client = await sync_to_async(_watching)(request, code)
    is_far = request.GET.get("proof") == "far"
    return event_stream_response(_stream(presenter, client, is_far, translation.get_language()))


def _watching(request: HttpRequest, code: str) -> tuple[StudyPresenter, Hashable]:
    """The node to analyse, and a key for the viewer. Raises `Http404` or `GameStillRunning`."""
    guest = guest_of(request)
    client = f"guest {guest.pk}" if guest else f"address {request.META.get('REMOTE_ADDR', '')}"
    presenter = _presenter(request, code)
    _ = presenter.position, presenter.is_own  # cached now, while database queries are allowed
    return presenter, client


async def _stream(
    presenter: StudyPresenter, client: Hashable, is_far: bool, language: str
) -> AsyncGenerator[str, None]:
    position = presenter.position
    if position.is_over:
        yield event("end", {"reason": "over", "state": _in_language("The game is over.", language)})
        return
    game = position.game
    query = PositionQuery(
        game.name,
        tuple(game.options.items()),
        actions_to(presenter.record, presenter.node),
        presenter.record.position,
        proof_positions=proof_positions(game, is_far=is_far),
    )
    yield "retry: 3000\n\n"
    async with contextlib.aclosing(shared_live_analysis().watch(client, query)) as watched:
        async for update in watched:
            yield _event(update, position, presenter, language)


def _event(update: AnalysisUpdate, position: Position, presenter: StudyPresenter, language: str) -> str:
    with translation.override(language):
        data: dict[str, Any] = {"node": presenter.node}
        if update.analysis:
            data |= AnalysisView(position, update.analysis).as_data(presenter.board.turned, presenter.is_own)
        if update.proof:
            data["proof"] = ProofView(position, update.proof).html(presenter.is_own)
        if update.analysis or update.ended:
            data["may_prove_further"] = _may_prove_further(update, position)
        if not update.ended:
            return event("found", data)
        data["reason"] = update.ended
        if update.ended == "elsewhere":
            data["state"] = gettext("The engine is now analysing another position for you.")
        elif update.ended == "failed":
            data["state"] = gettext("Engine error: {reason}").format(reason=translate(update.error))
        return event("end", data)


def _may_prove_further(update: AnalysisUpdate, position: Position) -> bool:
    """Whether a longer proof could find more than this update contains."""
    if update.proof:
        return ProofView(position, update.proof).may_go_further
    return proof_positions(position.game) > 0


def _in_language(text: str, language: str) -> str:
    with translation.override(language):
        return gettext(text)


@require_safe
@explains_running_games
async def download(request: HttpRequest, code: str, form: str) -> HttpResponse:
    """A study's record, a picture of the position at `node`, or an animation of the line through it."""
    if form not in _TYPES:
        raise Http404(
            lazy_message(
                "The format {form} isn’t available. Choose one of: {forms}.",
                form=repr(form),
                forms=", ".join(_TYPES),
            )
        )
    presenter = await sync_to_async(_presenter)(request, code)
    if form in FORMATS:
        return await sync_to_async(_record)(request, presenter, form)
    if form == "svg":
        return await sync_to_async(_drawing)(presenter)
    try:
        job = await sync_to_async(_render_job)(presenter, form)
        picture = await shared_render_queue().render(job)
    except RenderUnavailable as error:
        context = {"study": presenter, "refusal": why(error)}
        unavailable = HTTPStatus.SERVICE_UNAVAILABLE
        return await sync_to_async(render)(request, "analysis/no_file.html", context, status=unavailable)
    return _file(picture, form, presenter)


def _presenter(request: HttpRequest, code: str) -> StudyPresenter:
    """The study at the request's `node`. Raises `Http404` or `GameStillRunning`."""
    return presenter_for(request, find_study(request, code), parse_node(request.GET.get("node")))


def _record(request: HttpRequest, presenter: StudyPresenter, form: str) -> HttpResponse:
    try:
        return _file(write(presenter.record, presenter.game, form), form, presenter)
    except RecordError as error:
        context = {"study": presenter, "refusal": why(error)}
        return render(request, "analysis/no_file.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _drawing(presenter: StudyPresenter) -> HttpResponse:
    position = presenter.position
    badges_svg = position.svg(
        translate=translate,
        overlays=presenter.overlays,
        turned=presenter.board.turned,
        numbers=presenter.numbers,
    )
    return _file(badges_svg.encode(), "svg", presenter)


def _render_job(presenter: StudyPresenter, form: str) -> RenderJob:
    turns = [list(presenter.record.turns[number - 1].actions) for number in _line(presenter, form)]
    return RenderJob(
        "gif" if form == "gif" else "png",
        presenter.game.name,
        dict(presenter.game.options),
        turns,
        list(presenter.overlays),
        presenter.board.turned,
        presenter.numbers,
        presenter.record.position,
    )


def _line(presenter: StudyPresenter, form: str) -> list[int]:
    """The turns that lead to the node; an animation continues to the end of the line."""
    return presenter.record.tree.line_to(presenter.end if form == "gif" else presenter.node)


def _file(content: bytes, form: str, presenter: StudyPresenter) -> HttpResponse:
    name = slugify(presenter.title) or presenter.game.name
    response = HttpResponse(content, content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name[:60]}.{form}"'
    return response
