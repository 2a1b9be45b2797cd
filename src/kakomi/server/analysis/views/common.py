"""What several pages of studies need: the study of an address, its presenter, and the list."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis import permissions, selectors
from kakomi.server.analysis.exceptions import GameStillRunning
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.presenters import StudyPresenter
from kakomi.server.boardview.view_preferences import ViewPreferences

_View = Callable[..., HttpResponse]


def hides_running_games(view: _View) -> _View:
    """A view that answers with a kind page where a running game hides what is asked for."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        try:
            return view(request, *args, **named)
        except GameStillRunning as running:
            context = {"table": running.table}
            return render(request, "analysis/hidden.html", context, status=HTTPStatus.FORBIDDEN)

    return answer


def is_partial(request: HttpRequest) -> bool:
    """Whether only the part of a page that changes is asked for."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def find_study(request: HttpRequest, code: str) -> Study:
    """The study with a code. Raises Http404 or GameStillRunning."""
    guest = guest_of(request)
    study = selectors.find_study(code, guest)
    permissions.expect_may_analyse(study.table, study.leg, guest)
    return study


def presenter_for(
    request: HttpRequest, study: Study, node: int, refusal: str = "", unsaved: str | None = None
) -> StudyPresenter:
    """A study as the sender of a request sees it. Raises Http404 for a node that it doesn't have."""
    if not 0 <= node <= len(selectors.record_of(study).turns):
        raise Http404(lazy_message("There is no turn {node} in this study.", node=node))
    preferences = ViewPreferences.kept(request.session, study.game)
    return StudyPresenter(study, guest_of(request), node, preferences, refusal, unsaved)


def study_page(request: HttpRequest, presenter: StudyPresenter, status: int = HTTPStatus.OK) -> HttpResponse:
    """The whole page of a study."""
    return render(request, "analysis/study.html", {"study": presenter}, status=status)


def list_page(request: HttpRequest, refusal: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    """The guest's studies and ways to begin one, with what was wrong if something was."""
    own = selectors.studies_of(guest_of(request))
    context = {
        "studies": own.studies,
        "deleted": own.deleted,
        "games": [catalog.describe(name) for name in catalog.names()],
        "refusal": refusal,
    }
    return render(request, "analysis/list.html", context, status=status)
