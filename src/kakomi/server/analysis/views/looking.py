"""Pages that show a study."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis import store
from kakomi.server.analysis.access import Hidden, study_seen_by
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.shown import Shown
from kakomi.server.tables.view_preferences import ViewPreferences

_View = Callable[..., HttpResponse]


def unless_hidden(view: _View) -> _View:
    """A view that answers with a kind page where a running game hides what is asked for."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        try:
            return view(request, *args, **named)
        except Hidden as hidden:
            return render(request, "analysis/hidden.html", {"table": hidden.table}, status=403)

    return answer


def found(request: HttpRequest, code: str) -> Study:
    """The study with a code. Raises Http404 or Hidden."""
    return study_seen_by(guest_of(request), code)


def shown_to(
    request: HttpRequest, study: Study, node: int, refusal: str = "", unsaved: str | None = None
) -> Shown:
    """A study as the sender of a request sees it. Raises Http404 for a node that it doesn't have."""
    if not 0 <= node <= len(store.record_of(study).turns):
        raise Http404(lazy_message("There is no turn {node} in this study.", node=node))
    wishes = ViewPreferences.kept(request.session, study.game)
    return Shown(study, guest_of(request), node, wishes, refusal, unsaved)


def node_in(text: str | None) -> int:
    """A node from an address or a form; what is no number is the start."""
    return int(text) if text and text.isdecimal() and text.isascii() and len(text) < 8 else 0


@require_safe
@unless_hidden
def study(request: HttpRequest, code: str) -> HttpResponse:
    """The whole page, at the node that the address names, by default at the game's end."""
    found_study = found(request, code)
    length = len(store.record_of(found_study).turns)
    asked = request.GET.get("node")
    at = store.record_of(found_study).length if asked is None else min(node_in(asked), length)
    return render(request, "analysis/study.html", {"shown": shown_to(request, found_study, at)})


@require_safe
@unless_hidden
def node(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The board and what is said of one node."""
    shown = shown_to(request, found(request, code), number)
    return render(request, "analysis/_node.html", {"shown": shown})


@require_POST
@unless_hidden
def view(request: HttpRequest, code: str) -> HttpResponse:
    """Another way of looking at boards of this game: overlays, turned, numbered."""
    seen = found(request, code)
    ViewPreferences.of(request.POST).keep(request.session, seen.game)
    shown = shown_to(request, seen, min(node_in(request.POST.get("node")), len(store.record_of(seen).turns)))
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "analysis/_node.html", {"shown": shown})
    return render(request, "analysis/study.html", {"shown": shown})


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """The guest's own, and ways to begin one."""
    return listed(request)


def listed(request: HttpRequest, refusal: str = "", status: int = 200) -> HttpResponse:
    """The list, with what was wrong if something was."""
    guest = guest_of(request)
    own = guest.studies.defer("record").order_by("-changed_at") if guest else Study.objects.none()
    context = {
        "studies": [row for row in own if not row.is_deleted],
        "deleted": next((row for row in own if row.is_deleted), None),
        "games": [catalog.describe(name) for name in catalog.names()],
        "refusal": refusal,
    }
    return render(request, "analysis/list.html", context, status=status)
