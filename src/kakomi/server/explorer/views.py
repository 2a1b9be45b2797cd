"""The search page with the download of its results, and the page of a game's known results."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.explorer.downloads import FORMATS, MOST_IN_ZIP, pieces_of
from kakomi.server.explorer.known_results import first_moves
from kakomi.server.explorer.presenters import FactsPresenter
from kakomi.server.explorer.queries import GameQuery
from kakomi.server.site.games import find_description
from kakomi.server.site.language import why
from kakomi.server.site.streamed_files import file_response
from kakomi.server.tables.summaries import ListedGame

MOST = 24
"""Games per page."""


def results() -> list[tuple[str, str]]:
    """The choices for the result filter, as (value, label)."""
    first = [("", gettext("any")), ("over", gettext("finished")), ("going", gettext("in progress"))]
    won = [(f"won-{number}", gettext("player {number} won").format(number=number)) for number in range(1, 7)]
    return [*first, ("draw", gettext("a draw")), *won]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """The search form and the games found."""
    guest, wrong, asked = guest_of(request), "", request.GET.dict()
    rows = []
    try:
        query = GameQuery.of(asked)
        found = query.rows(guest).prefetch_related("seats__guest")
        if query.before is not None:
            found = found.filter(pk__lt=query.before)
        rows = list(found[: MOST + 1])
    except ValueError as error:
        wrong, query = why(error) or str(error), GameQuery()
    more = request.GET.copy()
    if len(rows) > MOST:
        more["before"] = str(rows[MOST - 1].pk)
    filters = request.GET.copy()
    filters.pop("before", None)
    context = {
        "query": query,
        "asked": asked,
        "wrong": wrong,
        "found": [ListedGame.of(row) for row in rows[:MOST]],
        "older": more.urlencode() if len(rows) > MOST else "",
        "filters": filters.urlencode(),
        "games": [catalog.describe(name) for name in catalog.names()],
        "results": results(),
        "most": MOST_IN_ZIP,
        "guest": guest,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    response = render(request, "explorer/search.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def download(request: HttpRequest, kind: str) -> HttpResponse | StreamingHttpResponse:
    """Download the records of all games found in one file; a ZIP has only the newest if there are many."""
    try:
        found = GameQuery.of(request.GET).rows(guest_of(request))
    except ValueError as error:
        said = why(error) or str(error)
        return HttpResponse(said, "text/plain; charset=utf-8", status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return file_response(request, pieces_of(found, kind), FORMATS[kind], f"kakomi-games.{kind}")


@require_safe
def known_results(request: HttpRequest, game: str) -> HttpResponse:
    """The measured and proven facts about a game, and its first moves on this site."""
    description = find_description(game)
    shown = FactsPresenter(description, first_moves(catalog.game(game)))
    others = [catalog.describe(name) for name in catalog.names() if name != game]
    return render(
        request, "explorer/game.html", {"facts": shown, "description": description, "others": others}
    )
