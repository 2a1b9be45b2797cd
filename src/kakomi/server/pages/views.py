"""Pages that belong to no app, and pictures of games."""

import random
from collections.abc import Sequence
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.bots import levels_of
from kakomi.core import Description, Position
from kakomi.core.i18n import lazy_message
from kakomi.draw.theme import Theme, page_stylesheet
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.engines import shared_pool
from kakomi.server.games import size_label
from kakomi.server.rulebook.selectors import begun_courses
from kakomi.server.sharing import etag_response, svg_response, themed
from kakomi.server.tables.suggestion import BotGame, bot_games, first_options, suggested
from kakomi.server.tables.summaries import game_list
from kakomi.server.tables.table_request import preset_options

CACHING = "public, max-age=3600"
PLIES = 30
"""The length of a random game, for a game without a sample game."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The games, and where the guest left off."""
    shared_pool().wake()
    guest = guest_of(request)
    left = game_list(guest, with_all="all" in request.GET, deleted=request.GET.get("deleted", "")[:10])
    played = bot_games(guest)
    games = [_offered(catalog.describe(name), played.get(name, ())) for name in catalog.names()]
    courses = begun_courses(guest)
    return render(request, "pages/home.html", {"games": games, "left": left, "courses": courses})


def _offered(description: Description, played: Sequence[BotGame]) -> dict[str, object]:
    """A game to begin by one click, on a board and at a level that suit somebody who played it."""
    suggestion = suggested(played, levels_of(description)[-1])
    options = first_options(description, suggestion)
    size = size_label(catalog.game(description.name, **options))
    return {
        "description": description,
        "options": options.items(),
        "size": size,
        "suggestion": suggestion,
    }


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """The page about the games, their authors and the site."""
    games = [catalog.describe(name) for name in catalog.names()]
    return render(request, "pages/about.html", {"games": games})


@require_safe
def board_style(request: HttpRequest) -> HttpResponse:
    """The style of every board that stands in a page."""
    return etag_response(request, page_stylesheet(), "text/css", CACHING)


@require_safe
def game_picture(request: HttpRequest, game: str) -> HttpResponse:
    """A game in its middle; `theme` in the query may be light, dark or auto."""
    if game not in catalog.names():
        raise Http404(lazy_message("There is no such game."))
    return svg_response(request, _picture_of_game(game, themed(request.GET.get("theme", ""))), CACHING)


@lru_cache(maxsize=64)
def _picture_of_game(name: str, theme: Theme) -> str:
    return _middle_of_game(name).svg(theme=theme)


def _middle_of_game(name: str) -> Position:
    """The position of the sample game; after some random actions if there is none."""
    description = catalog.describe(name)
    position = catalog.game(name, **preset_options(description)).start()
    if description.sample_game:
        return position.play(description.sample_game)
    chance = random.Random(name)
    for _ in range(PLIES):
        if position.is_over:
            break
        position = position.play_action(chance.choice(position.legal_actions()))
    return position
