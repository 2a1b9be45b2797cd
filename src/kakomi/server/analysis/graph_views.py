"""The panel on a finished game's table that shows how the game went."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.forms import parse_node
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.game_graph import GameGraph, graph_fragments_of
from kakomi.server.analysis.models import Study
from kakomi.server.analysis.permissions import hides_running_games
from kakomi.server.boardview.fragments import is_partial, respond
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.language import why
from kakomi.server.tables.models import Table
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@hides_running_games
def graph(request: HttpRequest, code: str) -> HttpResponse:
    """How a game went; empty until one of its players asks for it by a POST, which has it analysed."""
    if not is_partial(request):
        return redirect("table", code)
    row, guest = find_table(code), guest_of(request)
    number = max(0, parse_node(request.GET.get("game")) - 1)
    permissions.expect_may_analyse(row, number, guest)
    viewer = Viewer.of(row, guest)
    study, refusal = selectors.study_of_table(guest, row, number), ""
    if request.method == "POST" and guest is not None and viewer.is_player:
        try:
            record = selectors.record_at_table(row, number)
            study = services.study_of_table(guest, row, number, record)
            if not GameAnalysisPresenter.of(study, record).is_current:
                services.start_analysis(study, guest)
        except Refused as error:
            refusal = why(error)
    shown = _shown(request, row, number, study, viewer) if study and viewer.is_player else None
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refusal else HTTPStatus.OK
    return respond(request, graph_fragments_of(code, number, shown, refusal), "tables/table.html", {}, status)


def _shown(request: HttpRequest, row: Table, number: int, study: Study, viewer: Viewer) -> GameGraph:
    players = selectors.game_at_table(row, number).players or ()
    preferences = ViewPreferences.kept(request.session, row.game) or ViewPreferences()
    record = selectors.record_at_table(row, number)
    return GameGraph.of(study, record, [players[seat] for seat in viewer.own], preferences.turned)
