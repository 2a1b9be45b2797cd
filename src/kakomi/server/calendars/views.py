"""The feeds that calendar programs ask for, and the page on which a person's feed gets its address."""

import hashlib
from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_http_methods, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.views import private
from kakomi.server.calendars import services
from kakomi.server.calendars.events import Event, calendar_text, events_of, events_of_guest
from kakomi.server.calendars.models import CalendarAddress
from kakomi.server.notices.models import Mailing
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.selectors import find_tournament

_UNKNOWN = lazy_message("There is no such calendar: its address may have been renewed.")


@require_safe
def tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The calendar of a tournament."""
    row = find_tournament(code)
    response = _feed(request, row.name, events_of(Tournament.objects.filter(pk=row.pk), clock.now()))
    response["Cache-Control"] = "public, no-cache"
    return response


@require_safe
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """What is somebody's own, for whoever knows the address, in the language that they have mail in."""
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
    """The address of one's own calendar; a POST makes one, or a new one."""
    if request.method == "POST":
        services.renew(known_guest(request))
        return redirect("calendar")
    guest = guest_of(request)
    known = CalendarAddress.objects.filter(guest=guest).first() if guest else None
    own = request.build_absolute_uri(reverse("personal_calendar", args=[known.token])) if known else ""
    return render(request, "calendars/calendar.html", {"own": own})


def _feed(request: HttpRequest, name: str, events: Sequence[Event]) -> HttpResponse:
    """A calendar, or 304 for a program that has it."""
    content = calendar_text(name, events, request.build_absolute_uri("/")[:-1])
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Content-Disposition": 'inline; filename="kakomi.ics"'}
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
    return get_conditional_response(request, etag, response=response) or response
