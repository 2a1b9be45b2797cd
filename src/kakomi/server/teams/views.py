"""Pages of teams."""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.language import why
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.permissions import MODERATE, for_staff, may, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.report_page import report_page
from kakomi.server.teams import moderation, selectors, services
from kakomi.server.teams.forms import TeamForm
from kakomi.server.teams.models import KEY_LENGTH, Team
from kakomi.server.teams.permissions import leads
from kakomi.server.teams.presenters import Card, Page
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused

Deed = Callable[[Team, Guest, int], object]
_NO_DEED = lazy_message("There is nothing of this kind to do in a team.")


@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    """All teams, the last founded first; `q` and `game` look for some of them."""
    query, game = request.GET.get("q", "")[:60], request.GET.get("game", "")
    asked = request.GET.get("before", "")
    before = whole_number(asked, digits=18)
    if (asked and before is None) or (game and game not in catalog.names()):
        raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
    part, guest = selectors.listed_teams(query, game, before), guest_of(request)
    context = {
        "cards": [Card(*each) for each in part.teams],
        "own": selectors.teams_of(guest) if guest else (),
        "older": part.older,
        "before": before,
        "query": query,
        "game": game,
        "games": [catalog.describe(name) for name in catalog.names()],
    }
    return render(request, "teams/teams.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """The form for a team, or the team that was made of it."""
    if request.method != "POST":
        return _form(request, TeamForm())
    form, guest = TeamForm(request.POST), known_guest(request)
    if form.is_valid() and form.wanted is not None:
        key = request.POST.get("key", "")[:KEY_LENGTH] or secrets.token_hex(12)
        try:
            return redirect("team", services.create(guest, form.wanted, key).code)
        except Refused as error:
            form.add_error(None, why(error))
    return _form(request, form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, code: str) -> HttpResponse:
    """What a team is called and says of itself, for its leaders; a POST changes it."""
    row, guest = selectors.find_team(code), guest_of(request)
    if guest is None or not leads(row, guest) or not row.is_going:
        raise Http404(_NO_DEED)
    if request.method != "POST":
        return _form(request, TeamForm.of(row), row)
    form = TeamForm(request.POST)
    if form.is_valid() and form.wanted is not None:
        try:
            services.edit(row, guest, form.wanted)
        except Refused as error:
            form.add_error(None, why(error))
        else:
            return redirect("team", code)
    return _form(request, form, row, HTTPStatus.UNPROCESSABLE_ENTITY)


def _form(
    request: HttpRequest, form: TeamForm, row: Team | None = None, status: int = HTTPStatus.OK
) -> HttpResponse:
    guest = guest_of(request)
    context = {
        "form": form,
        "row": row,
        "key": request.POST.get("key", "")[:KEY_LENGTH] or secrets.token_hex(12),
        "has_account": guest is not None and guest.handle is not None,
    }
    return render(request, "teams/form.html", context, status=status)


@require_safe
def team(request: HttpRequest, code: str) -> HttpResponse:
    """A team with its members."""
    return _team(request, selectors.find_team(code))


def _team(request: HttpRequest, row: Team, refusal: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "page": Page(row, guest_of(request)),
        "row": row,
        "refusal": refusal,
        "is_staff": may(request.user, MODERATE),
        "key": new_key(),
    }
    return render(request, "teams/team.html", context, status=status)


@require_POST
def change(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Do something in a team, or say why not."""
    if deed not in _DEEDS:
        raise Http404(_NO_DEED)
    row = selectors.find_team(code)
    try:
        _DEEDS[deed](row, known_guest(request), whole_number(request.POST.get("member"), digits=18) or 0)
    except Refused as error:
        return _team(request, selectors.find_team(code), why(error), HTTPStatus.CONFLICT)
    return redirect("team", code)


_DEEDS: Mapping[str, Deed] = {
    "join": lambda row, guest, _: services.join(row, guest),
    "leave": lambda row, guest, _: services.leave(row, guest),
    "dissolve": lambda row, guest, _: services.dissolve(row, guest),
    "accept": services.accept,
    "decline": services.decline,
    "remove": services.remove,
    "lead": services.make_leader,
    "hand-over": services.hand_over,
}


@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, code: str) -> HttpResponse:
    """The form to report what a team is called and says of itself; staff get it with the report."""
    row = selectors.find_team(code)
    quote = f"{row.name} ({row.code}): {row.line}"
    about = moderation.responsible_for(row)
    return report_page(request, about, reverse("team", args=[code]), quote=quote, kind="name")


@require_POST
@for_staff(MODERATE)
def moderate(request: HttpRequest, code: str, deed: str) -> HttpResponse:
    """Take the name of a team away, or close it, as staff, for a reason."""
    deeds = {"rename": moderation.take_name, "close": moderation.close}
    if deed not in deeds:
        raise Http404(_NO_DEED)
    row = selectors.find_team(code)
    try:
        deeds[deed](row, staff_behind(request), reason_of(request.POST), key_of(request.POST))
    except Refused as error:
        return _team(request, row, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("team", code)
