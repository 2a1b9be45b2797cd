"""The pages of tournaments, with the forms to report a tournament's name and, for staff, to change it."""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.services import note_zone
from kakomi.server.explorer.downloads import FORMATS, pieces_of
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.models import TEXT_LENGTH
from kakomi.server.moderation.permissions import MODERATE, for_staff, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.views import report_page
from kakomi.server.site.database import digest_of_form
from kakomi.server.site.games import find_description
from kakomi.server.site.language import why
from kakomi.server.site.streamed_files import file_response
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables.models import Table
from kakomi.server.tournaments import exports, repeats, selectors, services
from kakomi.server.tournaments.forms import TournamentForm, carried_over, places_in
from kakomi.server.tournaments.models import KEY_LENGTH, LONGEST_NAME, Game, Tournament
from kakomi.server.tournaments.presenters import Card, Page
from kakomi.server.tournaments.services import rename
from kakomi.server.tournaments.terms import Kind, kinds_for
from kakomi.server.tournaments.wording import PACES
from kakomi.session import Pace, Refused

Action = Callable[[Tournament, Guest, Mapping[str, str]], object]


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """The lists of open, running and recent tournaments."""
    context = {
        "open": [Card(*each) for each in selectors.open_tournaments()],
        "running": [Card(*each) for each in selectors.running_tournaments()],
        "ended": [Card(*each) for each in selectors.ended_tournaments()],
    }
    return render(request, "tournaments/tournaments.html", context)


@require_safe
def new(request: HttpRequest) -> HttpResponse:
    """Redirect to the form for a new tournament, with the first game selected."""
    del request
    return redirect("tournament_new", catalog.names()[0])


@require_http_methods(["GET", "HEAD", "POST"])
def new_of(request: HttpRequest, game: str) -> HttpResponse:
    """Show the form for a new tournament, or create one from it."""
    description = find_description(game)
    is_sent = request.method == "POST" and "choose" not in request.POST
    asked = request.POST if is_sent else request.GET
    pace: Pace = "live" if asked.get("pace") == "live" else "days"
    kinds = kinds_for(description, pace)
    format = asked.get("format", "")
    if not is_sent:
        kind = kinds.get(format) or next(iter(kinds.values()))
        former = carried_over(request.POST)
        if request.POST.get("pace") != pace:  # live and days games have very different lead times
            former.pop("begins_at", None)
        return _new(
            request, TournamentForm(description, kind, pace, guest_of(request), initial=former), kinds
        )
    guest = known_guest(request)
    if format not in kinds:
        form = TournamentForm(description, next(iter(kinds.values())), pace, guest, request.POST)
        form.add_error(None, gettext("Choose one of the formats in the list."))
        return _new(request, form, kinds, HTTPStatus.UNPROCESSABLE_ENTITY)
    form = TournamentForm(description, kinds[format], pace, guest, request.POST)
    if form.is_valid() and form.agreed is not None:
        key = digest_of_form(request.POST) if request.POST.get("key") else secrets.token_hex(12)
        try:
            row = services.create(guest, form.agreed, key)
            note_zone(guest, form.cleaned_data["zone"])
            return redirect("tournament", row.code)
        except Refused as error:
            form.add_error(None, why(error))
    return _new(request, form, kinds, HTTPStatus.UNPROCESSABLE_ENTITY)


def _new(
    request: HttpRequest, form: TournamentForm, kinds: Mapping[str, Kind], status: int = HTTPStatus.OK
) -> HttpResponse:
    guest = guest_of(request)
    context = {
        "form": form,
        "kinds": kinds,
        "format": next(name for name, kind in kinds.items() if kind is form.kind),
        "paces": PACES,
        "key": request.POST.get("key", "")[:KEY_LENGTH] or secrets.token_hex(12),
        "games": [catalog.describe(name) for name in catalog.names()],
        "has_account": guest is not None and guest.handle is not None,
    }
    return render(request, "tournaments/new.html", context, status=status)


@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponse:
    """A tournament with its standings and rounds."""
    return _tournament(request, selectors.find_tournament(code))


def _tournament(
    request: HttpRequest, row: Tournament, refusal: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"page": Page.of(row, guest_of(request)), "row": row, "refusal": refusal}
    return render(request, "tournaments/tournament.html", context, status=status)


@require_safe
def live(request: HttpRequest, code: str) -> HttpResponse:
    """The fragment of a tournament's page that is updated live."""
    row = selectors.find_tournament(code)
    context = {"page": Page.of(row, guest_of(request)), "row": row}
    return render(request, "tournaments/_live.html", context)


@require_POST
def change(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Apply an operation to a tournament and redirect to its page, or show why it was refused."""
    if action not in _ACTIONS:
        raise Http404(lazy_message("That can’t be done in a tournament."))
    row = selectors.find_tournament(code)
    try:
        _ACTIONS[action](row, known_guest(request), request.POST)
    except Refused as error:
        row.refresh_from_db()
        return _tournament(request, row, why(error), HTTPStatus.CONFLICT)
    return redirect("tournament", code)


def _number(form: Mapping[str, str], name: str) -> int:
    return whole_number(form.get(name)) or 0


def _correct(row: Tournament, guest: Guest, form: Mapping[str, str]) -> None:
    number, table = _number(form, "round"), _number(form, "table")
    game = Game.objects.filter(round__tournament=row, round__number=number, number=table).first()
    if game is None:
        raise Refused(lazy_message("There is no such game in this tournament."))
    services.correct(
        row,
        guest,
        number=number,
        table=table,
        places=places_in(form, game.table.seats.count()),
        reason=form.get("reason", "").strip(),
        version=_number(form, "version"),
    )


_ACTIONS: Mapping[str, Action] = {
    "enter": lambda row, guest, _: services.enter(row, guest),
    "challenge": lambda row, guest, form: services.challenge(row, guest, _number(form, "entrant")),
    "decline": lambda row, guest, form: services.decline(row, guest, form.get("table", "")[:40]),
    "end": lambda row, guest, _: services.close_ladder(row, guest),
    "leave": lambda row, guest, _: services.leave(row, guest),
    "begin": lambda row, guest, _: services.begin_now(row, guest),
    "close": lambda row, guest, _: services.close_entries(row, guest, closed=True),
    "open": lambda row, guest, _: services.close_entries(row, guest, closed=False),
    "remove": lambda row, guest, form: services.remove_entrant(row, guest, _number(form, "entrant")),
    "cancel": lambda row, guest, form: services.cancel(row, guest, form.get("reason", "").strip()),
    "correct": _correct,
    "stop": lambda row, guest, _: repeats.stop(row, guest),
}


@require_safe
def download(request: HttpRequest, code: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Download the records of all games of a tournament in one file."""
    row = selectors.find_tournament(code)
    games = Table.objects.filter(tournament_game__round__tournament=row).order_by("-pk")
    return file_response(request, pieces_of(games, kind), FORMATS[kind], f"kakomi-{row.code}.{kind}")


@require_safe
def download_standings(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """Download the standings of a tournament."""
    page = Page.of(selectors.find_tournament(code), guest_of(request))
    if kind == "trf" and not page.has_trf:
        raise Http404(lazy_message("TRF is available for two-player Swiss and round-robin tournaments."))
    content = exports.trf_of(page) if kind == "trf" else exports.csv_of(page)
    media_type = "text/csv; charset=utf-8" if kind == "csv" else "text/plain; charset=utf-8"
    response = HttpResponse(content, content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="kakomi-{code}.{kind}"'
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The form to report a tournament's name and description, as a report about its organiser."""
    row = selectors.find_tournament(code)
    back = reverse("tournament", args=[code])
    quote = f"{row.name}\n{row.description}".strip()[:TEXT_LENGTH]
    return report_page(request, row.organiser, back, quote=quote, kind="tournament", address=back)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def rename_tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The form to rename a tournament, for staff."""
    row, form, wrong = selectors.find_tournament(code), request.POST, ""
    if request.method == "POST":
        try:
            staff, name = staff_behind(request), form.get("name", "")
            takes = "takes_description" in form
            rename(row, staff, name, reason_of(form), key_of(form), takes_description=takes)
        except Refused as error:
            wrong = why(error)
        else:
            return redirect("tournament", code)
    context = {
        "row": row,
        "wrong": wrong,
        "name": form.get("name", f"Tournament {row.code}"),
        "reason": form.get("reason", ""),
        "longest": LONGEST_NAME,
        "key": form.get("key") or new_key(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "tournaments/rename.html", context, status=status)
