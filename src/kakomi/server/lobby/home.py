"""The home page with what is going on, the page about the site, and pictures of games."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.bots import levels_of
from kakomi.core import Description, Position
from kakomi.core.i18n import lazy_message
from kakomi.draw.theme import Theme, page_stylesheet
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.selectors import people_online
from kakomi.server.analysis.links import link_to
from kakomi.server.boards.sharing import etag_response, picture_of_position, svg_response, themed
from kakomi.server.engines import shared_pool
from kakomi.server.lobby.conditions import Visitor
from kakomi.server.lobby.feed import FEED
from kakomi.server.puzzles.presenters import heads_of
from kakomi.server.puzzles.selectors import attempts_at, puzzles_for, today
from kakomi.server.rules.services import begun_courses
from kakomi.server.site.games import setup_label
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables import selectors
from kakomi.server.tables.listings import ListQuery
from kakomi.server.tables.suggestion import BotGame, bot_games, suggested
from kakomi.server.tables.summaries import ListedGame, game_list
from kakomi.session import usual_terms

CACHING = "public, max-age=3600"
REPLAYED = 24
"""About as many pictures as a replay has."""
SHOWN = 3
"""The most games to watch, and the most open challenges, on the home page."""
PLIES = 30
"""The length of a random game, for a game without a sample game."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The home page: the guest's running games, all games, and what is going on at the site."""
    shared_pool().wake()
    guest = guest_of(request)
    left = game_list(guest, with_all="all" in request.GET, deleted=request.GET.get("deleted", "")[:10])
    played = bot_games(guest)
    games = [_offered(catalog.describe(name), played.get(name, ())) for name in catalog.names()]
    (head, *_) = heads_of(found := puzzles_for(guest, today()), attempts_at(guest, found)) or (None,)
    context = {
        "games": games,
        "left": left,
        "courses": begun_courses(guest),
        "watched": (watched := watched_games()),
        "replay": None if len(watched) == SHOWN else _replay(today()),
        "seeks": _open_seeks(Visitor.of(guest)),
        "puzzle": head,
        "online": people_online(),
    }
    return render(request, "lobby/home.html", context)


def watched_games() -> list[ListedGame]:
    """The latest listed games, those being played first."""
    rows = sorted(selectors.listed_tables(ListQuery()).rows, key=lambda row: row.is_over)
    return [ListedGame.of(row) for row in rows[:SHOWN]]


@dataclass(frozen=True)
class Replay:
    """A game's sample game, which the home page plays in its place where few games are listed."""

    description: Description
    link: str
    """The analysis board with the whole game; empty if it is too long for a link."""
    plies: int

    @property
    def step(self) -> int:
        """The actions of a turn: what the picture advances by."""
        return max(1, round(self.plies / REPLAYED))


def _replay(day: date) -> Replay | None:
    """The sample game of one of the games, another one each day; None if no game has one."""
    described = [d for d in map(catalog.describe, catalog.names()) if d.sample_game]
    if not described:
        return None
    description = described[day.toordinal() % len(described)]
    game = usual_terms(description).game
    actions = description.sample_game.split()
    return Replay(description, link_to(game, actions), len(actions))


def _open_seeks(visitor: Visitor) -> list[SafeString]:
    """The seeks that a visitor may accept, as cards with a button that does so."""
    cards = [card for card in FEED.cards() if visitor.sees(card.seek) and card.role(visitor) == "accept"]
    return [card.html(visitor) for card in cards[:SHOWN]]


def _offered(description: Description, played: Sequence[BotGame]) -> dict[str, object]:
    """The context of a game that a single click begins, with a board and level that suit the guest."""
    suggestion = suggested(played, levels_of(description)[-1])
    game = usual_terms(description, has_bots=True).game
    return {
        "description": description,
        "options": game.options.items(),
        "size": setup_label(game),
        "suggestion": suggestion,
    }


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    """The page about the games, their authors and the site."""
    return render(request, "lobby/about.html", {"games": map(catalog.describe, catalog.names())})


@require_safe
def board_style(request: HttpRequest) -> HttpResponse:
    """The stylesheet of boards in pages."""
    return etag_response(request, page_stylesheet(), "text/css", CACHING)


@require_safe
def game_picture(request: HttpRequest, game: str) -> HttpResponse:
    """A picture of a game in progress; `theme` may be light, dark or auto, and `at` the number of actions."""
    if game not in catalog.names():
        raise Http404(lazy_message("There is no such game."))
    at = whole_number(request.GET.get("at"), digits=4)
    return svg_response(request, _picture_of_game(game, themed(request.GET.get("theme", "")), at), CACHING)


@lru_cache(maxsize=256)
def _picture_of_game(name: str, theme: Theme, plies: int | None) -> str:
    return picture_of_position(_middle_of_game(name, plies), theme)


def _middle_of_game(name: str, plies: int | None = None) -> Position:
    """The position after actions of the sample game (None: all), or after random ones if there is none."""
    description = catalog.describe(name)
    position = usual_terms(description).game.start()
    if description.sample_game:
        actions = description.sample_game.split()[:plies]
        return position.play(" ".join(actions)) if actions else position
    chance = random.Random(name)
    for _ in range(PLIES):
        if position.is_over:
            break
        position = position.play_action(chance.choice(position.legal_actions()))
    return position


urlpatterns = [
    path("", home, name="home"),
    path("about", about, name="about"),
    path("board.css", board_style, name="board_style"),
    path("picture/<slug:game>.svg", game_picture, name="game_picture"),
]
