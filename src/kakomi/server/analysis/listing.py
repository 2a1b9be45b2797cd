"""The public list of studies."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from kakomi.server.analysis import selectors
from kakomi.server.listings import ListQuery, list_context, list_preview


@require_safe
def listed_studies(request: HttpRequest) -> HttpResponse:
    """The studies that their owners show to everybody, newest first."""
    query = ListQuery.of(request.GET)
    page = selectors.listed_studies(query)
    image = reverse("study_png", args=[page.rows[0].code]) if page.rows else ""
    context = {
        **list_context(query, "listed_studies", page),
        "listed": page.rows,
        "preview": list_preview(
            request,
            gettext("Studies to read"),
            gettext("Games taken apart, with variations and notes, that their authors show to everybody."),
            image,
        ),
    }
    return render(request, "analysis/listed.html", context)
