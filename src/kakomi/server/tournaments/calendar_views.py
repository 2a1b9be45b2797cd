"""The calendar feeds, and the page that shows and renews the URL of a personal calendar."""

import hashlib
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.views import private
from kakomi.server.notices.models import Mailing
from kakomi.server.site import clock
from kakomi.server.tournaments.calendars import (
    Event,
    calendar_text,
    events_of,
    events_of_guest,
    renew_address,
)
from kakomi.server.tournaments.models import CalendarAddress, Tournament
from kakomi.server.tournaments.selectors import find_tournament

_UNKNOWN = lazy_message("Calendar not found. Its link may have been renewed.")


@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The calendar of a tournament."""
    row = find_tournament(code)
    response = _feed(request, row.name, events_of(Tournament.objects.filter(pk=row.pk), clock.now()))
    response["Cache-Control"] = "public, no-cache"
    return response


@require_safe
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """The personal calendar with a secret token, in the language of its guest's mails."""
    known = CalendarAddress.objects.select_related("guest").filter(token=token).first()
    if known is None:
        raise Http404(_UNKNOWN)
    language = Mailing.objects.filter(guest=known.guest).values_list("language", flat=True).first()
    with translation.override(language or get_language()):
        response = _feed(request, gettext("My games"), events_of_guest(known.guest, clock.now()))
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@private
def address(request: HttpRequest) -> HttpResponse:
    """The URL of the viewer's own calendar. A POST creates or renews it."""
    if request.method == "POST":
        renew_address(known_guest(request))
        return redirect("calendar")
    guest = guest_of(request)
    known = CalendarAddress.objects.filter(guest=guest).first() if guest else None
    own = request.build_absolute_uri(reverse("personal_calendar", args=[known.token])) if known else ""
    return render(request, "tournaments/calendar.html", {"own": own})


def _feed(request: HttpRequest, name: str, events: Sequence[Event]) -> HttpResponse:
    """A calendar, or status 304 if the client has it."""
    content = calendar_text(name, events, request.build_absolute_uri("/")[:-1])
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Content-Disposition": 'inline; filename="kakomi.ics"'}
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag, response=response) or response


urlpatterns = [
    path("tournaments/<slug:code>/calendar.ics", tournament, name="tournament_calendar"),
    path("me/calendar", address, name="calendar"),
    path("me/calendar/<str:token>.ics", personal, name="personal_calendar"),
]
