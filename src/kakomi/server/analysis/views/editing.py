"""Owners change their studies."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.records import tidy_line
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.analysis import growing, store
from kakomi.server.analysis.models import TITLE_LENGTH, Study
from kakomi.server.analysis.views.looking import found, listed, node_in, shown_to, unless_hidden
from kakomi.server.language import why
from kakomi.session import Refused

_LONGEST_ACTION = 100

_EDITS: dict[str, Callable[[int, str], store.Edit]] = {
    "play": lambda node, value: lambda record, game: growing.played(record, game, node, value),
    "shorten": lambda node, _: lambda record, game: growing.shortened(record, game, node),
    "comment": lambda node, value: lambda record, _: growing.commented(record, node, value),
    "promote": lambda node, _: lambda record, game: growing.promoted(record, game, node),
    "remove": lambda node, _: lambda record, game: growing.removed(record, game, node),
}
"""What can be done to a node, by name."""


@require_POST
@unless_hidden
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Do it, or say why not; either way the study as it stands then is the answer."""
    study = found(request, code)
    node = node_in(request.POST.get("node"))
    refusal, status = "", HTTPStatus.OK
    try:
        study, node = _edited(request, study, node)
    except store.Stale as error:
        refusal, status = why(error), HTTPStatus.CONFLICT
    except (Refused, IllegalAction) as error:
        refusal, status = why(error), HTTPStatus.UNPROCESSABLE_ENTITY
    if refusal:
        study.refresh_from_db()
        node = min(node, len(store.record_of(study).turns))
    is_partial = request.htmx  # type: ignore[attr-defined]
    if not is_partial and not refusal:
        return redirect(f"{reverse('study', args=[code])}?node={node}")
    unsaved = request.POST.get("value") if refusal and request.POST.get("kind") == "comment" else None
    template = "analysis/_study.html" if is_partial else "analysis/study.html"
    shown = shown_to(request, study, node, refusal, unsaved)
    return render(request, template, {"shown": shown}, status=status)


def _edited(request: HttpRequest, study: Study, node: int) -> tuple[Study, int]:
    kind, value = request.POST.get("kind", ""), request.POST.get("value", "")
    version, guest = request.POST.get("version", ""), guest_of(request)
    if not (version.isdecimal() and version.isascii() and len(version) < 10):
        raise Refused(lazy_message("the form's 'version' should be the version of the study that was seen"))
    if kind == "undo":
        return store.undo(study, guest, int(version))
    if kind == "play" and len(value) > _LONGEST_ACTION:
        raise Refused(lazy_message("an action has at most {most} characters", most=_LONGEST_ACTION))
    if kind not in _EDITS:
        raise Refused(
            lazy_message(
                "{kind} can't be done to a study; there are: {kinds}, undo",
                kind=repr(kind[:20]),
                kinds=", ".join(_EDITS),
            )
        )
    if not 0 <= node <= len(store.record_of(study).turns):
        raise store.Stale
    return store.edit(study, guest, int(version), node, _EDITS[kind](node, value))


@require_POST
@unless_hidden
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """Give a study a title."""
    study = found(request, code)
    title = tidy_line(request.POST.get("title", "")).strip()[:TITLE_LENGTH]
    try:
        store.rename(study, guest_of(request), title)
    except Refused as error:
        return _refused(request, study, error)
    return redirect("study", code)


@require_POST
@unless_hidden
def copy(request: HttpRequest, code: str) -> HttpResponse:
    """Make somebody else's study one's own."""
    study = found(request, code)
    try:
        own = store.copy(study, known_guest(request))
    except Refused as error:
        return _refused(request, study, error)
    node = node_in(request.POST.get("node"))
    return redirect(f"{reverse('study', args=[own.code])}?node={node}")


@require_POST
@unless_hidden
def delete(request: HttpRequest, code: str) -> HttpResponse:
    """Delete a study; the list says how to take that back."""
    return _deleted(request, code, is_deleted=True)


@require_POST
@unless_hidden
def restore(request: HttpRequest, code: str) -> HttpResponse:
    """Take back that a study was deleted."""
    return _deleted(request, code, is_deleted=False)


def _deleted(request: HttpRequest, code: str, *, is_deleted: bool) -> HttpResponse:
    try:
        store.set_deleted(found(request, code), guest_of(request), is_deleted)
    except Refused as error:
        return listed(request, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("analysis")


def _refused(request: HttpRequest, study: Study, error: Refused) -> HttpResponse:
    shown = shown_to(request, study, 0, why(error))
    return render(request, "analysis/study.html", {"shown": shown}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
