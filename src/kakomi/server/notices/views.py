"""The page of what somebody was told, and what the bell asks."""

from datetime import UTC, datetime
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.notices import selectors, services
from kakomi.server.notices.presenters import NoticeView


@require_safe
def notices(request: HttpRequest) -> HttpResponse:
    """What a guest was told lately."""
    guest = guest_of(request)
    now = datetime.fromtimestamp(clock.now(), UTC)
    told = [NoticeView(notice) for notice in selectors.latest(guest)] if guest else []
    response = render(request, "notices/notices.html", {"told": told, "guest": guest, "now": now})
    response["Cache-Control"] = "no-store, private"
    return response


@require_safe
def opened(request: HttpRequest, number: int) -> HttpResponse:
    """Go to the page that a notice leads to; it counts as seen then."""
    guest = guest_of(request)
    notice = services.read(guest, number) if guest else None
    if notice is None:
        raise Http404(lazy_message("You have no such notice."))
    return redirect(NoticeView(notice).address)


@require_safe
def count(request: HttpRequest) -> HttpResponse:
    """How many notices wait, and how many of them are of the table whose page asks."""
    guest = guest_of(request)
    found = selectors.count_unread(guest)
    table = request.GET.get("table", "")[:10]
    here = selectors.count_seen_at(guest, table) if guest and table and found else 0
    response = JsonResponse({"count": found, "here": here})
    response["Cache-Control"] = "no-store, private"
    return response


@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """Note that everything was seen, or what was told of one table; turns stay until one has acted."""
    guest = guest_of(request)
    if guest:
        services.read_all(guest, table=request.POST.get("table", "")[:10])
    if "table" in request.POST:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return redirect("notices")
