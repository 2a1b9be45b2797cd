"""Owners change their studies."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from kakomi.core import IllegalAction
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.analysis import selectors, services
from kakomi.server.analysis.exceptions import Stale
from kakomi.server.analysis.forms import EditForm, TitleForm, parse_node
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.views.common import (
    find_study,
    hides_running_games,
    is_partial,
    list_page,
    presenter_for,
    study_page,
)
from kakomi.server.language import why
from kakomi.session import Refused


@require_POST
@hides_running_games
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Do it, or say why not; either way the study as it stands then is the answer."""
    study = find_study(request, code)
    node = parse_node(request.POST.get("node"))
    try:
        study, node = services.carry_out(study, guest_of(request), EditForm(request.POST).submission())
    except Stale as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.CONFLICT)
    except (Refused, IllegalAction) as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_partial(request):
        return redirect(f"{reverse('study', args=[code])}?node={node}")
    return render(request, "analysis/_study.html", {"study": presenter_for(request, study, node)})


def _refused_edit(request: HttpRequest, study: Study, node: int, refusal: str, status: int) -> HttpResponse:
    """The study as it stands, with why it was not changed, and the note that somebody wrote."""
    study.refresh_from_db()
    node = min(node, len(selectors.record_of(study).turns))
    unsaved = request.POST.get("value") if request.POST.get("kind") == "comment" else None
    presenter = presenter_for(request, study, node, refusal, unsaved)
    if is_partial(request):
        return render(request, "analysis/_study.html", {"study": presenter}, status=status)
    return study_page(request, presenter, status)


@require_POST
@hides_running_games
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """Give a study a title."""
    study = find_study(request, code)
    form = TitleForm(request.POST)
    form.full_clean()
    try:
        services.rename(study, guest_of(request), form.cleaned_data["title"])
    except Refused as error:
        return _refused(request, study, error)
    return redirect("study", code)


@require_POST
@hides_running_games
def copy(request: HttpRequest, code: str) -> HttpResponse:
    """Make somebody else's study one's own."""
    study = find_study(request, code)
    try:
        own = services.copy(study, known_guest(request))
    except Refused as error:
        return _refused(request, study, error)
    node = parse_node(request.POST.get("node"))
    return redirect(f"{reverse('study', args=[own.code])}?node={node}")


def _refused(request: HttpRequest, study: Study, error: Refused) -> HttpResponse:
    presenter = presenter_for(request, study, 0, why(error))
    return study_page(request, presenter, HTTPStatus.UNPROCESSABLE_ENTITY)


@require_POST
@hides_running_games
def delete(request: HttpRequest, code: str) -> HttpResponse:
    """Delete a study; the list says how to take that back."""
    return _deleted(request, code, is_deleted=True)


@require_POST
@hides_running_games
def restore(request: HttpRequest, code: str) -> HttpResponse:
    """Take back that a study was deleted."""
    return _deleted(request, code, is_deleted=False)


def _deleted(request: HttpRequest, code: str, *, is_deleted: bool) -> HttpResponse:
    try:
        services.set_deleted(find_study(request, code), guest_of(request), is_deleted)
    except Refused as error:
        return list_page(request, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("analysis")
