"""The public list of games."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.server.listings import ListQuery, list_context, list_preview
from kakomi.server.tables import selectors
from kakomi.server.tables.summaries import ListedGame


@require_safe
def listed_games(request: HttpRequest) -> HttpResponse:
    """The games that those who play them show to everybody, newest first."""
    query = ListQuery.of(request.GET)
    page = selectors.listed_tables(query)
    image = reverse("table_png", args=[page.rows[0].code]) if page.rows else ""
    context = {
        **list_context(query, "listed_games", page),
        "listed": [ListedGame.of(row) for row in page.rows],
        "preview": list_preview(
            request,
            gettext("Games to watch"),
            gettext("Games between people and bots that those who play them show to everybody."),
            image,
        ),
    }
    return render(request, "tables/listed.html", context)
