"""The page on which games are looked for, and the files that hold what was found."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi import catalog
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.language import why
from kakomi.server.search.downloads import FORMATS, MOST_IN_ZIP, pieces_of
from kakomi.server.search.queries import GameQuery
from kakomi.server.streamed_files import file_response
from kakomi.server.tables.summaries import ListedGame

MOST = 24
"""Games on a page."""


def results() -> list[tuple[str, str]]:
    """The results to choose from, in words."""
    first = [("", gettext("any")), ("over", gettext("finished")), ("going", gettext("being played"))]
    won = [(f"won-{number}", gettext("won by seat {number}").format(number=number)) for number in range(1, 7)]
    return [*first, ("draw", gettext("a draw")), *won]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Games by what is asked of them."""
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
    kept = request.GET.copy()
    kept.pop("before", None)
    context = {
        "query": query,
        "asked": asked,
        "wrong": wrong,
        "found": [ListedGame.of(row) for row in rows[:MOST]],
        "older": more.urlencode() if len(rows) > MOST else "",
        "kept": kept.urlencode(),
        "games": [catalog.describe(name) for name in catalog.names()],
        "results": results(),
        "most": MOST_IN_ZIP,
        "guest": guest,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    response = render(request, "search/search.html", context, status=status)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def download(request: HttpRequest, kind: str) -> HttpResponse | StreamingHttpResponse:
    """The records of all games that are asked for, in one file; of a ZIP the newest ones if they are many."""
    try:
        found = GameQuery.of(request.GET).rows(guest_of(request))
    except ValueError as error:
        said = why(error) or str(error)
        return HttpResponse(said, "text/plain; charset=utf-8", status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return file_response(request, pieces_of(found, kind), FORMATS[kind], f"kakomi-games.{kind}")
