"""Studies as files: records, pictures, films."""

from dataclasses import dataclass
from http import HTTPStatus

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from kakomi.core.i18n import lazy_message
from kakomi.records import FORMATS, RecordError, write
from kakomi.server.analysis.exceptions import RenderUnavailable
from kakomi.server.analysis.forms import parse_node
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.analysis.render import RenderJob
from kakomi.server.analysis.render_queue import shared_render_queue
from kakomi.server.analysis.views.common import find_study, hides_running_games, presenter_for
from kakomi.server.language import translate, why

_TYPES = {
    "json": "application/json",
    "sgf": "application/x-go-sgf",
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
}


async def download(request: HttpRequest, code: str, form: str) -> HttpResponse:
    """A study's record, or a picture of the node that the address names; a film leads up to it."""
    prepared = await sync_to_async(_prepared)(request, code, form)
    if isinstance(prepared, HttpResponse):
        return prepared
    try:
        picture = await shared_render_queue().render(prepared.job)
    except RenderUnavailable as error:
        context = {"study": prepared.presenter, "refusal": why(error)}
        unavailable = HTTPStatus.SERVICE_UNAVAILABLE
        return await sync_to_async(render)(request, "analysis/trouble.html", context, status=unavailable)
    return _file(picture, form, prepared.presenter)


@dataclass(frozen=True)
class _Prepared:
    """A picture that has to be made."""

    presenter: StudyPresenter
    job: RenderJob


def _prepared(request: HttpRequest, code: str, form: str) -> "HttpResponse | _Prepared":
    """The file, or what it takes to make it."""
    waiting: list[_Prepared] = []

    @require_safe
    @hides_running_games
    def prepare(request: HttpRequest, code: str) -> HttpResponse:
        if form not in _TYPES:
            raise Http404(
                lazy_message(
                    "There is no download in the format {form}. There are: {forms}.",
                    form=repr(form),
                    forms=", ".join(_TYPES),
                )
            )
        study = find_study(request, code)
        presenter = presenter_for(request, study, parse_node(request.GET.get("node")))
        if form in FORMATS:
            return _record(request, presenter, form)
        if form == "svg":
            return _file(_drawing(presenter), form, presenter)
        waiting.append(_Prepared(presenter, _render_job(presenter, form)))
        return HttpResponse()

    answer = prepare(request, code)
    return waiting[0] if waiting else answer


def _record(request: HttpRequest, presenter: StudyPresenter, form: str) -> HttpResponse:
    try:
        return _file(write(presenter.record, presenter.game, form), form, presenter)
    except RecordError as error:
        context = {"study": presenter, "refusal": why(error)}
        return render(request, "analysis/trouble.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _drawing(presenter: StudyPresenter) -> bytes:
    position = presenter.position
    drawn = position.svg(
        translate=translate,
        overlays=presenter.overlays,
        turned=presenter.board.turned,
        numbers=presenter.numbers,
    )
    return drawn.encode()


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
    )


def _line(presenter: StudyPresenter, form: str) -> list[int]:
    """A film goes on to the end of the line; from the start that is the whole game."""
    return presenter.record.tree.line_to(presenter.end if form == "gif" else presenter.node)


def _file(content: bytes, form: str, presenter: StudyPresenter) -> HttpResponse:
    name = slugify(presenter.title) or presenter.game.name
    response = HttpResponse(content, content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name[:60]}.{form}"'
    return response
