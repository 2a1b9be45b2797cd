"""The page of what is known about a game."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.server.facts.presenters import FactsPresenter
from kakomi.server.facts.selectors import first_moves
from kakomi.server.games import find_description


@require_safe
def facts(request: HttpRequest, game: str) -> HttpResponse:
    """What was measured and proved of a game, and how it is begun here."""
    description = find_description(game)
    shown = FactsPresenter(description, first_moves(catalog.game(game)))
    others = [catalog.describe(name) for name in catalog.names() if name != game]
    return render(request, "facts/game.html", {"facts": shown, "description": description, "others": others})
