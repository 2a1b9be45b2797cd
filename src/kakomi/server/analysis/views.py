"""Pages of studies: the public list, ways to a new one, a study and its changes, a game's graph."""

from contextlib import suppress
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.core import Game, IllegalAction
from kakomi.records import Reading, Record, RecordError, game_of, position_after, read
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.commands import Stale
from kakomi.server.analysis.forms import EditForm, NewStudyForm, TitleForm, UploadForm, node_in, parse_node
from kakomi.server.analysis.fragments import analysis_fragments_of, fragments_of
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.game_graph import GameGraph, graph_fragments_of
from kakomi.server.analysis.models import TITLE_LENGTH, Study
from kakomi.server.analysis.permissions import find_study, hides_running_games
from kakomi.server.analysis.presenters import StudyPresenter, presenter_for
from kakomi.server.analysis.sharing import FLAWS, SharedBoard, board_in, position_preview, study_preview
from kakomi.server.boardview.board_look import keep_look
from kakomi.server.boardview.fragments import is_partial, respond
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.boardview.view_preferences import ViewPreferences
from kakomi.server.games import expectation, find_description, setup_label
from kakomi.server.language import translate, why
from kakomi.server.listings import ListQuery, list_context, list_preview
from kakomi.server.sharing import unlisted
from kakomi.server.tables.models import Table
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused
from kakomi.study.analysis import page_stylesheet


def _study_page(request: HttpRequest, study: StudyPresenter, status: int = HTTPStatus.OK) -> HttpResponse:
    """The page of a study, or what an open one lacks."""
    context: dict[str, object] = {"study": study}
    if not is_partial(request):
        context["analysis"] = analysis_fragments_of(study, study.game_analysis)
        context["preview"] = study_preview(request, study)
    response = respond(request, fragments_of(request, study), "analysis/study.html", context, status)
    return response if study.row.listed_at else unlisted(response)


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


@require_safe
def studies(request: HttpRequest) -> HttpResponse:
    """The guest's own, and ways to begin one."""
    return list_page(request)


@require_safe
@hides_running_games
def study(request: HttpRequest, code: str) -> HttpResponse:
    """The page at the node that the address names, by default at the game's end."""
    row = find_study(request, code)
    node = node_in(request.GET, selectors.record_of(row))
    return _study_page(request, presenter_for(request, row, node))


@require_POST
@hides_running_games
def view(request: HttpRequest, code: str) -> HttpResponse:
    """Another way of looking at boards of this game: overlays, turned, numbered."""
    row = find_study(request, code)
    ViewPreferences.of(request.POST).keep(request.session, row.game)
    keep_look(request)
    last = len(selectors.record_of(row).turns)
    return _study_page(request, presenter_for(request, row, min(parse_node(request.POST.get("node")), last)))


@require_POST
@hides_running_games
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Do it, or say why not; either way the study as it stands then is the answer."""
    study = find_study(request, code)
    node = parse_node(request.POST.get("node"))
    try:
        study, node = services.handle_command(study, guest_of(request), EditForm(request.POST).submission())
    except Stale as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.CONFLICT)
    except (Refused, IllegalAction) as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_partial(request):
        return redirect(f"{reverse('study', args=[code])}?node={node}")
    return _study_page(request, presenter_for(request, study, node))


def _refused_edit(request: HttpRequest, study: Study, node: int, refusal: str, status: int) -> HttpResponse:
    """The study as it stands, with why it was not changed, and the note that somebody wrote."""
    study.refresh_from_db()
    node = min(node, len(selectors.record_of(study).turns))
    unsaved = request.POST.get("value") if request.POST.get("kind") == "comment" else None
    presenter = presenter_for(request, study, node, refusal, unsaved)
    return _study_page(request, presenter, status)


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
def list_study(request: HttpRequest, code: str) -> HttpResponse:
    """Show a study to everybody in the public list, under the name that comes along, or no longer."""
    study, guest = find_study(request, code), guest_of(request)
    form = TitleForm(request.POST)
    form.full_clean()
    try:
        if title := form.cleaned_data["title"]:
            services.rename(study, guest, title)
        services.set_listed(study, guest, is_listed=request.POST.get("do") == "list")
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
    return _study_page(request, presenter, HTTPStatus.UNPROCESSABLE_ENTITY)


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


@require_http_methods(["GET", "HEAD", "POST"])
@hides_running_games
def game_analysis(request: HttpRequest, code: str) -> HttpResponse:
    """How far the analysis of the game has come; a POST starts or stops it first."""
    study = find_study(request, code)
    status, refusal = HTTPStatus.OK, ""
    if request.method == "POST":
        deed = services.stop_analysis if request.POST.get("do") == "stop" else services.start_analysis
        try:
            deed(study, guest_of(request))
        except Refused as error:
            status, refusal = HTTPStatus.UNPROCESSABLE_ENTITY, why(error)
    if not is_partial(request) and not refusal:
        return redirect("study", code)
    presenter = presenter_for(request, study, 0, refusal)
    if not is_partial(request):
        return _study_page(request, presenter, status)
    fragments = analysis_fragments_of(presenter, presenter.game_analysis, refusal)
    return respond(request, fragments, "analysis/study.html", {}, status)


@require_safe
@cache_control(max_age=3600)
def chart_style(request: HttpRequest) -> HttpResponse:
    """What plots of win chances look like."""
    del request
    return HttpResponse(page_stylesheet(), content_type="text/css")


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, game: str) -> HttpResponse:
    """The form for an empty board, or the board."""
    description = find_description(game)
    given = request.POST if request.method == "POST" else request.GET
    form = NewStudyForm(description, given.dict())
    if not form.is_valid():
        return _confirm_page(request, game, None, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    if request.method == "POST":
        return _open(request, form.record)
    return _confirm_page(request, game, form.record, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def position(request: HttpRequest, game: str) -> HttpResponse:
    """The position that the address carries, and then a study of it."""
    try:
        board = board_in(game, request.GET)
    except FLAWS as error:
        return _confirm_page(request, game, None, why(error))
    if request.method == "POST":
        return _open(request, board.record)
    return _confirm_page(request, game, board.record, board=board)


@require_http_methods(["GET", "HEAD", "POST"])
@hides_running_games
def table(request: HttpRequest, code: str) -> HttpResponse:
    """A game at a table, as the guest's own study; `game` numbers the games of a match from 1."""
    row = find_table(code)
    leg = parse_node(request.GET.get("game")) - 1 if "game" in request.GET else selectors.game_count(row) - 1
    guest = guest_of(request)
    permissions.expect_may_analyse(row, leg, guest)
    try:
        record = selectors.record_at_table(row, leg)
        if guest is None and request.method != "POST":
            return _confirm_page(request, row.game, record)
        study = services.study_of_table(known_guest(request), row, leg, record)
    except Refused as error:
        return _confirm_page(request, row.game, None, why(error))
    return redirect("study", study.code)


@require_POST
@hides_running_games
def turning_points(request: HttpRequest, code: str) -> HttpResponse:
    """The last game at a table as the guest's own study, its analysis begun: where the game turned."""
    row, guest = find_table(code), known_guest(request)
    leg = selectors.game_count(row) - 1
    permissions.expect_may_analyse(row, leg, guest)
    try:
        study = services.study_of_table(guest, row, leg, selectors.record_at_table(row, leg))
    except Refused as error:
        return _confirm_page(request, row.game, None, why(error))
    if not GameAnalysisPresenter.of(study, selectors.record_of(study)).is_current:
        with suppress(Refused):  # others of theirs are analysed already: the page says so, too
            services.start_analysis(study, guest)
    return redirect("study", study.code)


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """A record from a file, JSON or SGF, held against the rules before it is kept."""
    form = UploadForm(request.POST, request.FILES)
    form.full_clean()
    file, name = form.cleaned_data.get("record"), form.cleaned_data["game"] or ""
    if file is None:
        return list_page(request, gettext("Choose a file first."), HTTPStatus.UNPROCESSABLE_ENTITY)
    if (file.size or 0) > services.MOST_BYTES:
        most = number_format(services.MOST_BYTES, force_grouping=True)
        refusal = gettext("A record has at most {most} bytes; this file is larger.").format(most=most)
        return list_page(request, refusal, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        reading = Reading(services.MOST_PARTS, services.MOST_ACTIONS)
        record = read(file.read(), catalog.game, name if name in catalog.names() else "", reading)
        study = services.create(known_guest(request), record, title=record.event[:TITLE_LENGTH])
    except (RecordError, Refused) as error:
        refusal = f"{(file.name or '')[:60]}: {why(error)}"
        return list_page(request, refusal, HTTPStatus.UNPROCESSABLE_ENTITY)
    for message in reading.warnings:
        messages.warning(request, f"{(file.name or '')[:60]}: {translate(message)}.")
    return redirect("study", study.code)


def _open(request: HttpRequest, record: Record) -> HttpResponse:
    try:
        study: Study = services.create(known_guest(request), record)
    except Refused as error:
        return _confirm_page(request, record.game, record, why(error))
    return redirect(f"{reverse('study', args=[study.code])}?node={len(record.turns)}")


def _confirm_page(
    request: HttpRequest,
    name: str,
    record: Record | None,
    refusal: str = "",
    *,
    form: NewStudyForm | None = None,
    board: SharedBoard | None = None,
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    """The page that shows what would be opened, and asks; a form says what can be chosen."""
    game = form.game if form else game_of(record, catalog.game) if record else catalog.game(name)
    at = board.position if board else position_after(record, game) if record else game.start()
    context = {
        "description": game.description,
        "board": BoardPresenter(at, is_interactive=False),
        "fields": _fields(form, game) if form else (),
        "said": setup_label(game),
        "expects": expectation(at),
        "turns": record.length if record else 0,
        "can_open": record is not None,
        "refusal": refusal,
    }
    if board:
        site = f"{request.scheme}://{request.get_host()}"
        context["preview"] = position_preview(request, board)
        context["shared"] = {
            "link": site + board.link,
            "frame": site + board.address("position_embed"),
            "png": board.address("position_png"),
            "text": str(at),
        }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refusal else status
    return unlisted(render(request, "analysis/open.html", context, status=status))


def _fields(form: NewStudyForm, game: Game) -> list[dict[str, object]]:
    """The form's fields as the page shows them: what was sent, or what it comes to."""
    fields: list[dict[str, object]] = [
        {
            "name": option.name,
            "label": translate(option.title),
            "help": translate(option.help),
            "value": form.data.get(option.name) or game.options[option.name],
            "wrong": form.message(option.name),
        }
        for option in game.description.options
    ]
    position = {"name": "position", "value": form.data.get("position", ""), "wrong": form.message("position")}
    return [*fields, {**position, "example": str(game.start())}]


@require_safe
def listed_studies(request: HttpRequest) -> HttpResponse:
    """The studies that their owners show to everybody, newest first."""
    query = ListQuery.of(request.GET)
    page = selectors.listed_studies(query)
    image = reverse("study_png", args=[page.rows[0].code]) if page.rows else ""
    context = {
        **list_context(query, "listed_studies", page),
        "listed": page.rows,
        "preview": list_preview(
            request,
            gettext("Studies to read"),
            gettext("Games taken apart, with variations and notes, that their authors show to everybody."),
            image,
        ),
    }
    return render(request, "analysis/listed.html", context)


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
