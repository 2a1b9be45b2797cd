"""Pages of studies: the lists, new studies, a study and its edits."""

from contextlib import suppress
from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.analysis import page_stylesheet
from kakomi.core import Game, IllegalAction
from kakomi.records import Reading, Record, RecordError, game_of, position_after, read
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.commands import Stale
from kakomi.server.analysis.forms import EditForm, NewStudyForm, TitleForm, UploadForm, node_in, parse_node
from kakomi.server.analysis.fragments import analysis_fragments_of, fragments_of
from kakomi.server.analysis.game_analysis_presenter import GameAnalysisPresenter
from kakomi.server.analysis.models import TITLE_LENGTH, Study
from kakomi.server.analysis.permissions import explains_running_games, find_study
from kakomi.server.analysis.presenters import StudyPresenter, presenter_for
from kakomi.server.analysis.sharing import FLAWS, SharedBoard, board_in, position_preview, study_preview
from kakomi.server.boards.board_look import ViewPreferences, save_look
from kakomi.server.boards.fragments import is_partial, respond
from kakomi.server.boards.presenters import BoardPresenter
from kakomi.server.boards.sharing import unlisted
from kakomi.server.site.games import expectation, find_description, setup_label
from kakomi.server.site.language import translate, why
from kakomi.server.tables.listings import ListQuery, list_context, list_preview
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused


def _study_page(request: HttpRequest, study: StudyPresenter, status: int = HTTPStatus.OK) -> HttpResponse:
    """A study's page, or for a partial request only the changed fragments."""
    context: dict[str, object] = {"study": study}
    if not is_partial(request):
        context["analysis"] = analysis_fragments_of(study, study.game_analysis)
        context["preview"] = study_preview(request, study)
    response = respond(request, fragments_of(request, study), "analysis/study.html", context, status)
    return response if study.row.listed_at else unlisted(response)


def list_page(request: HttpRequest, refusal: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    """The page with the guest's studies and forms for a new one; `refusal` says what failed."""
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
    """The guest's studies, and forms for a new one."""
    return list_page(request)


@require_safe
@explains_running_games
def study(request: HttpRequest, code: str) -> HttpResponse:
    """A study's page at `node`, by default the end of the main line."""
    row = find_study(request, code)
    node = node_in(request.GET, selectors.record_of(row))
    return _study_page(request, presenter_for(request, row, node))


@require_POST
@explains_running_games
def view(request: HttpRequest, code: str) -> HttpResponse:
    """Save how the guest views boards of this game: overlays, rotation, numbers, look."""
    row = find_study(request, code)
    ViewPreferences.of(request.POST).save(request.session, row.game)
    save_look(request)
    last = len(selectors.record_of(row).turns)
    return _study_page(request, presenter_for(request, row, min(parse_node(request.POST.get("node")), last)))


@require_POST
@explains_running_games
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """Edit a study. The response shows the study as it then is, with the reason if the edit was refused."""
    study = find_study(request, code)
    node = parse_node(request.POST.get("node"))
    try:
        study, node = services.handle_study_command(
            study, guest_of(request), EditForm(request.POST).submission()
        )
    except Stale as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.CONFLICT)
    except (Refused, IllegalAction) as error:
        return _refused_edit(request, study, node, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_partial(request):
        return redirect(f"{reverse('study', args=[code])}?node={node}")
    return _study_page(request, presenter_for(request, study, node))


def _refused_edit(request: HttpRequest, study: Study, node: int, refusal: str, status: int) -> HttpResponse:
    """The current study, with the reason for the refusal and the comment that wasn't saved."""
    study.refresh_from_db()
    node = min(node, len(selectors.record_of(study).turns))
    unsaved = request.POST.get("value") if request.POST.get("kind") == "comment" else None
    presenter = presenter_for(request, study, node, refusal, unsaved)
    return _study_page(request, presenter, status)


@require_POST
@explains_running_games
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
@explains_running_games
def list_study(request: HttpRequest, code: str) -> HttpResponse:
    """Add a study to the public list, renaming it if the form has a title, or remove it."""
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
@explains_running_games
def copy(request: HttpRequest, code: str) -> HttpResponse:
    """Copy a study to the guest's own."""
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
@explains_running_games
def delete(request: HttpRequest, code: str) -> HttpResponse:
    """Delete a study; the list offers to restore it."""
    return _deleted(request, code, is_deleted=True)


@require_POST
@explains_running_games
def restore(request: HttpRequest, code: str) -> HttpResponse:
    """Restore a deleted study."""
    return _deleted(request, code, is_deleted=False)


def _deleted(request: HttpRequest, code: str, *, is_deleted: bool) -> HttpResponse:
    try:
        services.set_deleted(find_study(request, code), guest_of(request), is_deleted)
    except Refused as error:
        return list_page(request, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("analysis")


@require_http_methods(["GET", "HEAD", "POST"])
@explains_running_games
def game_analysis(request: HttpRequest, code: str) -> HttpResponse:
    """The progress of a game's analysis; a POST starts or stops it first."""
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
    """The stylesheet of win-chance plots."""
    del request
    return HttpResponse(page_stylesheet(), content_type="text/css")


@require_safe
@cache_control(max_age=365 * 86400, immutable=True, public=True)
def engine_program(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """The program of a game with the options in the query, for an engine in the visitor's browser."""
    from kakomi.web.pages import program_digest, program_file  # with Numba, which a site needs only later

    with suppress(ValueError):
        options = {option: int(value) for option, value in request.GET.dict().items()}
        if digest == program_digest(name):
            program = program_file(catalog.game(name, **options))
            return HttpResponse(program, content_type="application/octet-stream")
    raise Http404


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, game: str) -> HttpResponse:
    """GET: the form for a new study. POST: create it."""
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
    """GET: the position in the address. POST: create a study of it."""
    try:
        board = board_in(game, request.GET)
    except FLAWS as error:
        return _confirm_page(request, game, None, why(error))
    if request.method == "POST":
        return _open(request, board.record)
    return _confirm_page(request, game, board.record, board=board)


@require_http_methods(["GET", "HEAD", "POST"])
@explains_running_games
def table(request: HttpRequest, code: str) -> HttpResponse:
    """Open a game at a table as the guest's study; `game` is its number in the match, from 1.

    A POST with `do` also starts the analysis that finds turning points.
    """
    row = find_table(code)
    game_number = (
        parse_node(request.GET.get("game")) - 1 if "game" in request.GET else selectors.game_count(row) - 1
    )
    guest = guest_of(request)
    permissions.require_may_analyse(row, game_number, guest)
    try:
        record = selectors.record_at_table(row, game_number)
        if guest is None and request.method != "POST":
            return _confirm_page(request, row.game, record)
        study = services.study_of_table(known_guest(request), row, game_number, record)
    except Refused as error:
        return _confirm_page(request, row.game, None, why(error))
    if "do" in request.POST and not GameAnalysisPresenter.of(study, record).is_current:
        with suppress(Refused):  # e.g. too many analyses are running; the page shows that too
            services.start_analysis(study, guest)
    return redirect("study", study.code)


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """Create a study from a JSON or SGF file, which is checked against the rules first."""
    form = UploadForm(request.POST, request.FILES)
    form.full_clean()
    file, name = form.cleaned_data.get("record"), form.cleaned_data["game"] or ""
    if file is None:
        return list_page(request, gettext("Choose a file first."), HTTPStatus.UNPROCESSABLE_ENTITY)
    if (file.size or 0) > services.MOST_BYTES:
        most = number_format(services.MOST_BYTES, force_grouping=True)
        refusal = gettext("This file is too large: the limit is {most} bytes.").format(most=most)
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
    """The page that shows the board and asks for confirmation; a form adds the game's options."""
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
    """The form's fields for the page, with the submitted or resulting values."""
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
    """The public list of studies, newest first."""
    query = ListQuery.of(request.GET)
    page = selectors.listed_studies(query)
    image = reverse("study_png", args=[page.rows[0].code]) if page.rows else ""
    context = {
        **list_context(query, "listed_studies", page),
        "listed": page.rows,
        "preview": list_preview(
            request,
            gettext("Public studies"),
            gettext("Public studies: analysed games with variations and notes."),
            image,
        ),
    }
    return render(request, "analysis/listed.html", context)
