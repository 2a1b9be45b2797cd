"""Pages that show studies."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from kakomi.server.analysis import selectors
from kakomi.server.analysis.forms import parse_node
from kakomi.server.analysis.views.common import (
    find_study,
    hides_running_games,
    is_partial,
    list_page,
    presenter_for,
    study_page,
)
from kakomi.server.boardview.view_preferences import ViewPreferences


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """The guest's own, and ways to begin one."""
    return list_page(request)


@require_safe
@hides_running_games
def study(request: HttpRequest, code: str) -> HttpResponse:
    """The whole page, at the node that the address names, by default at the game's end."""
    row = find_study(request, code)
    record = selectors.record_of(row)
    asked = request.GET.get("node")
    node = record.length if asked is None else min(parse_node(asked), len(record.turns))
    return study_page(request, presenter_for(request, row, node))


@require_safe
@hides_running_games
def node(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The board and what is said of one node."""
    presenter = presenter_for(request, find_study(request, code), number)
    return render(request, "analysis/_node.html", {"study": presenter})


@require_POST
@hides_running_games
def view(request: HttpRequest, code: str) -> HttpResponse:
    """Another way of looking at boards of this game: overlays, turned, numbered."""
    row = find_study(request, code)
    ViewPreferences.of(request.POST).keep(request.session, row.game)
    last = len(selectors.record_of(row).turns)
    presenter = presenter_for(request, row, min(parse_node(request.POST.get("node")), last))
    if is_partial(request):
        return render(request, "analysis/_node.html", {"study": presenter})
    return study_page(request, presenter)
