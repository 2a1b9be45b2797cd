"""Ways to an analysis board: an empty one, a position in a link, a game at a table, a file."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from kakomi import catalog
from kakomi.core import IllegalAction
from kakomi.core.i18n import lazy_message
from kakomi.records import Record, RecordError, game_of, position_after, read
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.analysis import permissions, selectors, services
from kakomi.server.analysis.forms import UploadForm, parse_node
from kakomi.server.analysis.labels import options_in_words
from kakomi.server.analysis.links import game_in, record_in
from kakomi.server.analysis.models import TITLE_LENGTH, Study
from kakomi.server.analysis.views.common import hides_running_games, list_page
from kakomi.server.boardview.presenters import BoardPresenter
from kakomi.server.language import why
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, game: str) -> HttpResponse:
    """The options for an empty board, or the board."""
    _expect_game(game)
    fields = request.POST if request.method == "POST" else request.GET
    try:
        chosen = game_in(game, fields)
    except Refused as error:
        return _confirm_page(request, game, None, why(error), has_options=True)
    record = Record(game=game, options=dict(chosen.options))
    if request.method == "POST":
        return _open(request, record)
    return _confirm_page(request, game, record, has_options=True)


@require_http_methods(["GET", "HEAD", "POST"])
def position(request: HttpRequest, game: str) -> HttpResponse:
    """The position that the address carries, and then a study of it."""
    _expect_game(game)
    try:
        record = record_in(game, request.GET)
    except (Refused, IllegalAction) as error:
        return _confirm_page(request, game, None, why(error))
    return _open(request, record) if request.method == "POST" else _confirm_page(request, game, record)


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
        record = read(file.read(), catalog.game, name if name in catalog.names() else "")
        study = services.create(known_guest(request), record, title=record.event[:TITLE_LENGTH])
    except (RecordError, Refused) as error:
        refusal = f"{(file.name or '')[:60]}: {why(error)}"
        return list_page(request, refusal, HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("study", study.code)


def _expect_game(name: str) -> None:
    if name not in catalog.names():
        raise Http404(
            lazy_message(
                "There is no game {name}. There are: {names}.",
                name=repr(name),
                names=", ".join(catalog.names()),
            )
        )


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
    has_options: bool = False,
) -> HttpResponse:
    """The page that shows what would be opened, and asks."""
    description = catalog.describe(name)
    game = game_of(record, catalog.game) if record else catalog.game(name)
    at = position_after(record, game) if record else game.start()
    board = BoardPresenter(at, is_interactive=False)
    context = {
        "description": description,
        "board": board,
        "options": [(option, game.options[option.name]) for option in description.options if has_options],
        "said": options_in_words(game),
        "turns": record.length if record else 0,
        "can_open": record is not None,
        "refusal": refusal,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refusal else HTTPStatus.OK
    return render(request, "analysis/open.html", context, status=status)
