"""Pages of team matches."""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.games import find_description
from kakomi.server.language import why
from kakomi.server.search.downloads import FORMATS, pieces_of
from kakomi.server.streamed_files import file_response
from kakomi.server.tables.models import Table
from kakomi.server.team_matches import selectors, services
from kakomi.server.team_matches.forms import ChallengeForm
from kakomi.server.team_matches.models import KEY_LENGTH, TeamMatch
from kakomi.server.team_matches.presenters import Page
from kakomi.server.teams.models import Team
from kakomi.server.teams.selectors import find_team
from kakomi.session import Refused

Deed = Callable[[TeamMatch, Guest, Mapping[str, str]], object]


@require_safe
def new(request: HttpRequest, code: str) -> HttpResponse:
    """The form by which another team is challenged, which begins with the game that it prefers."""
    del request
    team = find_team(code)
    game = team.game if team.game in catalog.names() else catalog.names()[0]
    return redirect("team_match_new", code, game)


@require_http_methods(["GET", "HEAD", "POST"])
def new_of(request: HttpRequest, code: str, game: str) -> HttpResponse:
    """The form for a challenge, or what was made of it."""
    away, description, guest = find_team(code), find_description(game), guest_of(request)
    own = list(selectors.led_by(guest, away)) if guest else []
    if guest is None or not own:
        raise Http404(lazy_message("Only those who lead a team challenge another one."))
    if request.method != "POST":
        return _new(request, away, ChallengeForm(description, own))
    form = ChallengeForm(description, own, request.POST)
    if form.is_valid() and form.agreed is not None:
        key = request.POST.get("key", "")[:KEY_LENGTH] or secrets.token_hex(12)
        home = form.teams[form.cleaned_data["home"]]
        try:
            return redirect("team_match", services.challenge(guest, home, away, form.agreed, key).code)
        except Refused as error:
            form.add_error(None, why(error))
    return _new(request, away, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _new(request: HttpRequest, away: Team, form: ChallengeForm, status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "away": away,
        "form": form,
        "key": request.POST.get("key", "")[:KEY_LENGTH] or secrets.token_hex(12),
        "games": [catalog.describe(name) for name in catalog.names()],
    }
    return render(request, "team_matches/new.html", context, status=status)


@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """A team match with its boards and score."""
    return _match(request, selectors.find_match(code))


def _match(
    request: HttpRequest, row: TeamMatch, refusal: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"page": Page(row, guest_of(request)), "row": row, "refusal": refusal}
    return render(request, "team_matches/match.html", context, status=status)


@require_POST
def change(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Do something in a team match, or say why not."""
    if deed not in _DEEDS:
        raise Http404(lazy_message("There is nothing of this kind to do in a team match."))
    row = selectors.find_match(code)
    try:
        _DEEDS[deed](row, known_guest(request), request.POST)
    except Refused as error:
        return _match(request, selectors.find_match(code), why(error), HTTPStatus.CONFLICT)
    return redirect("team_match", code)


_DEEDS: Mapping[str, Deed] = {
    "accept": lambda row, guest, _: services.accept(row, guest),
    "decline": lambda row, guest, form: services.decline(row, guest, form.get("reason", "")),
    "call-off": lambda row, guest, form: services.call_off(row, guest, form.get("reason", "")),
    "enter": lambda row, guest, form: services.enter(row, guest, form.get("side", "")),
    "leave": lambda row, guest, _: services.leave(row, guest),
    "ready": lambda row, guest, _: services.make_ready(row, guest),
}


@require_safe
def download(request: HttpRequest, code: str, kind: str) -> HttpResponse | StreamingHttpResponse:
    """The records of all games of a team match, in one file."""
    row = selectors.find_match(code)
    games = Table.objects.filter(team_match_game__match=row).order_by("-pk")
    return file_response(request, pieces_of(games, kind), FORMATS[kind], f"kakomi-{row.code}.{kind}")
