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
from kakomi.server.analysis.filming import Order
from kakomi.server.analysis.shown import Shown
from kakomi.server.analysis.studio import StudioBusy, studio
from kakomi.server.analysis.views.looking import found, node_in, shown_to, unless_hidden
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
        picture = await studio().made(prepared.order)
    except StudioBusy as error:
        context = {"shown": prepared.shown, "refusal": why(error)}
        unavailable = HTTPStatus.SERVICE_UNAVAILABLE
        return await sync_to_async(render)(request, "analysis/trouble.html", context, status=unavailable)
    return _file(picture, form, prepared.shown)


@dataclass(frozen=True)
class _Prepared:
    """A picture that has to be made."""

    shown: Shown
    order: Order


def _prepared(request: HttpRequest, code: str, form: str) -> "HttpResponse | _Prepared":
    """The file, or what it takes to make it."""
    waiting: list[_Prepared] = []

    @require_safe
    @unless_hidden
    def prepare(request: HttpRequest, code: str) -> HttpResponse:
        if form not in _TYPES:
            raise Http404(
                lazy_message(
                    "There is no download in the format {form}. There are: {forms}.",
                    form=repr(form),
                    forms=", ".join(_TYPES),
                )
            )
        study = found(request, code)
        shown = shown_to(request, study, node_in(request.GET.get("node")))
        if form in FORMATS:
            return _record(request, shown, form)
        if form == "svg":
            return _file(_drawing(shown), form, shown)
        waiting.append(_Prepared(shown, _order(shown, form)))
        return HttpResponse()

    answer = prepare(request, code)
    return waiting[0] if waiting else answer


def _record(request: HttpRequest, shown: Shown, form: str) -> HttpResponse:
    try:
        return _file(write(shown.record, shown.game, form), form, shown)
    except RecordError as error:
        context = {"shown": shown, "refusal": why(error)}
        return render(request, "analysis/trouble.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _drawing(shown: Shown) -> bytes:
    position = shown.position
    drawn = position.svg(
        translate=translate, overlays=shown.overlays, turned=shown.turned, numbers=shown.numbers
    )
    return drawn.encode()


def _order(shown: Shown, form: str) -> Order:
    turns = [list(shown.record.turns[number - 1].actions) for number in _line(shown, form)]
    return Order(
        "gif" if form == "gif" else "png",
        shown.game.name,
        dict(shown.game.options),
        turns,
        list(shown.overlays),
        shown.turned,
        shown.numbers,
    )


def _line(shown: Shown, form: str) -> list[int]:
    """A film goes on to the end of the line; from the start that is the whole game."""
    return shown.record.tree.line_to(shown.end if form == "gif" else shown.node)


def _file(content: bytes, form: str, shown: Shown) -> HttpResponse:
    name = slugify(shown.title) or shown.game.name
    response = HttpResponse(content, content_type=_TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name[:60]}.{form}"'
    return response
