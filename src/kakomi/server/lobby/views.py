"""The pages for finding opponents."""

import secrets
from collections.abc import Callable, Mapping
from http import HTTPStatus
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi import catalog
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import NAME_LENGTH, Guest
from kakomi.server.accounts.selectors import people_online
from kakomi.server.boards.fragments import is_partial
from kakomi.server.lobby import pairing, selectors, services
from kakomi.server.lobby.conditions import Visitor, has_account
from kakomi.server.lobby.feed import FEED, Filter
from kakomi.server.lobby.forms import QuickOffer, SeekForm, SeekFormPresenter, SettingsForm, quick_wish
from kakomi.server.lobby.home import watched_games
from kakomi.server.lobby.presenters import Mine
from kakomi.server.lobby.services import SeekOutcome
from kakomi.server.site.database import digest_of_form
from kakomi.server.site.games import find_description
from kakomi.server.site.language import why
from kakomi.session import Refused

Action = Callable[[str, Guest, Mapping[str, str]], SeekOutcome]


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """The lobby: quick games, the viewer's own seeks, and the list of open seeks."""
    return _lobby(request)


def _lobby(request: HttpRequest, refusal: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    guest = guest_of(request)
    visitor, asked = Visitor.of(guest), _filter(request)
    mine = Mine.of(guest)
    cards = [card for card in FEED.cards() if asked.takes(card) and visitor.sees(card.seek)]
    context = {
        "seeks": [card.html(visitor) for card in cards],
        "asked": asked,
        "mine": mine,
        "offers": QuickOffer.all(),
        "games": [catalog.describe(name) for name in catalog.names()],
        "has_account": visitor.has_account,
        "watched": watched_games(),
        "refusal": refusal,
        "online": people_online(),
    }
    return render(request, "lobby/lobby.html", context, status=status)


def _filter(request: HttpRequest) -> Filter:
    game, pace = request.GET.get("game", ""), request.GET.get("pace", "")
    if game:
        find_description(game)
    if pace not in ("", "live", "days"):
        raise Http404(lazy_message("There is no such list of challenges."))
    return Filter(game, pace)


@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The fragment with the viewer's own seeks and challenges."""
    return render(request, "lobby/_mine.html", {"mine": Mine.of(guest_of(request))})


@require_POST
def play(request: HttpRequest) -> HttpResponse:
    """Start looking for a game with anybody."""
    try:
        outcome = pairing.request_quick_game(known_guest(request), quick_wish(request.POST))
    except Refused as error:
        return _lobby(request, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return _redirect_to_outcome(outcome)


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest, game: str) -> HttpResponse:
    """Show the form for a seek or a challenge, or create one from it."""
    description = find_description(game)
    if request.method != "POST":
        guest = guest_of(request) or Guest()
        return _new(request, SeekForm(description, guest, initial=request.GET.dict()))
    guest = known_guest(request)
    form = SeekForm(description, guest, request.POST.dict())
    if not form.is_valid() or form.wish is None:
        return _new(request, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    key = digest_of_form(request.POST) if request.POST.get("key") else secrets.token_hex(12)
    try:
        return _redirect_to_outcome(pairing.look_for(guest, form.wish, key))
    except Refused as error:
        return _lobby(request, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)


@require_safe
def challenge(request: HttpRequest, handle: str) -> HttpResponse:
    """Redirect to the form for a challenge to somebody, with the first game selected."""
    return redirect(
        f"{reverse('lobby_new', args=[catalog.names()[0]])}?{urlencode({'to': handle[:NAME_LENGTH]})}"
    )


def _new(request: HttpRequest, form: SeekForm, status: int = HTTPStatus.OK) -> HttpResponse:
    presenter = SeekFormPresenter.of_seek(form, may_wait_days=has_account(form.guest))
    template = "lobby/_new.html" if is_partial(request) else "lobby/new.html"
    key = form.given.get("key", "") or secrets.token_hex(12)
    games = [catalog.describe(name) for name in catalog.names()]
    context = {"form": presenter, "description": form.description, "key": key, "games": games}
    return render(request, template, context, status=status)


@require_POST
def change(request: HttpRequest, code: str, action: str) -> HttpResponse:
    """Apply an operation to a seek and redirect to its table or the lobby, or show why it was refused."""
    if action not in _ACTIONS:
        raise Http404(lazy_message("That can’t be done with a challenge."))
    try:
        outcome = _ACTIONS[action](code, known_guest(request), request.POST)
    except Refused as error:
        return _lobby(request, why(error), HTTPStatus.CONFLICT)
    return _redirect_to_outcome(outcome)


_ACTIONS: Mapping[str, Action] = {
    "accept": lambda code, guest, _: services.accept(code, guest),
    "leave": lambda code, guest, _: services.leave(code, guest),
    "withdraw": lambda code, guest, _: services.withdraw(code, guest),
    "dismiss": lambda code, guest, _: services.dismiss(code, guest),
    "decline": lambda code, guest, form: services.decline(code, guest, form.get("reason", "")),
}


def _redirect_to_outcome(outcome: SeekOutcome) -> HttpResponse:
    return redirect("table", outcome.table.code) if outcome.table else redirect("lobby")


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
    """Show or save which challenges the viewer takes."""
    if request.method != "POST":
        form = SettingsForm(instance=selectors.settings_of(guest_of(request)))
        return render(request, "lobby/settings.html", {"form": form, "kept": "kept" in request.GET})
    guest = known_guest(request)
    form = SettingsForm(request.POST, instance=selectors.settings_of(guest))
    if not form.is_valid():
        return render(request, "lobby/settings.html", {"form": form}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    services.save_settings(guest, form.instance)
    return redirect(f"{reverse('lobby_settings')}?kept")
