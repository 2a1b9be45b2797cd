"""The feeds that calendar programs ask for: a tournament, all tournaments, and what is somebody's own."""

import hashlib
from collections.abc import Sequence

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.calendars.events import Event, events_of, events_of_guest
from kakomi.server.calendars.ical import calendar_text
from kakomi.server.calendars.models import CalendarAddress
from kakomi.server.notices.models import Mailing
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.selectors import find_tournament

KEPT_SECONDS = 60
"""For so long the calendar of all tournaments is made once for all who ask."""
KNOWN_SECONDS = 30 * 86_400
"""For so long it is known since when a calendar has been as it is; then it counts as new once."""
_UNKNOWN = lazy_message("There is no such calendar: its address may have been renewed.")


@require_safe
def all_tournaments(request: HttpRequest) -> HttpResponse:
    """The calendar of all tournaments; 304 for a program that has it."""
    site = request.build_absolute_uri("/")[:-1]
    key = f"calendar:{site}:{get_language()}"
    text = cache.get(key)
    if text is None:
        found = events_of(Tournament.objects.all(), clock.now())
        text = calendar_text(gettext("Tournaments"), found, site).decode()
        cache.set(key, text, KEPT_SECONDS)
    response = _answer(request, text.encode(), f"all:{key}")
    response["Cache-Control"] = f"public, max-age={KEPT_SECONDS}"
    return response


@require_safe
def one_tournament(request: HttpRequest, code: str) -> HttpResponse:
    """The calendar of a tournament."""
    row = find_tournament(code)
    found = events_of(Tournament.objects.filter(pk=row.pk), clock.now())
    response = _answered(request, row.name, found, f"{code}:{get_language()}")
    response["Cache-Control"] = "public, no-cache"
    return response


@require_safe
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """What is somebody's own, for whoever knows the address, in the language that they have mail in."""
    address = CalendarAddress.objects.select_related("guest").filter(token=token).first()
    if address is None:
        raise Http404(_UNKNOWN)
    guest = address.guest
    with translation.override(_language(guest)):
        found = events_of_guest(guest, clock.now())
        response = _answered(request, gettext("My games"), found, f"own:{address.pk}")
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _language(guest: Guest) -> str | None:
    known = Mailing.objects.filter(guest=guest).values_list("language", flat=True).first()
    return known or get_language()


def _answered(request: HttpRequest, name: str, events: Sequence[Event], key: str) -> HttpResponse:
    site = request.build_absolute_uri("/")[:-1]
    return _answer(request, calendar_text(name, events, site), key)


def _answer(request: HttpRequest, content: bytes, key: str) -> HttpResponse:
    """A calendar, or 304 for a program that has it."""
    digest = hashlib.sha256(content).hexdigest()[:32]
    etag, since = quote_etag(digest), _since(key, digest)
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = 'inline; filename="kakomi.ics"'
    response["ETag"], response["Last-Modified"] = etag, http_date(since)
    return get_conditional_response(request, etag, since, response) or response


def _since(key: str, digest: str) -> int:
    """The second since which a calendar has been as it is.

    What was in it may have gone, so no row says that. A program that asks by the moment alone gets the whole
    once more after that was forgotten, and nothing else comes of it.
    """
    key = f"calendar-since:{hashlib.sha256(key.encode()).hexdigest()[:32]}"
    known = cache.get(key)
    if known is None or known[0] != digest:
        known = [digest, int(clock.now())]
    cache.set(key, known, KNOWN_SECONDS)
    return int(known[1])
