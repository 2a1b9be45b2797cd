"""The page of what is coming, and where one's own calendar gets its address."""

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.views import private
from kakomi.server.calendars import services
from kakomi.server.calendars.models import CalendarAddress
from kakomi.server.calendars.presenters import coming_months


@require_safe
@private
def coming(request: HttpRequest) -> HttpResponse:
    """What is coming, by month, with the addresses to subscribe to."""
    guest = guest_of(request)
    address = CalendarAddress.objects.filter(guest=guest).first() if guest else None
    own = reverse("personal_calendar", args=[address.token]) if address else ""
    context = {
        "months": coming_months(guest, clock.now()),
        "guest": guest,
        "all": request.build_absolute_uri(reverse("tournaments_calendar")),
        "own": request.build_absolute_uri(own) if own else "",
    }
    return render(request, "calendars/coming.html", context)


@require_POST
@private
def change(request: HttpRequest) -> HttpResponse:
    """Make the address of one's own calendar, renew it, or end it."""
    guest, deed = guest_of(request), _DEEDS.get(request.POST.get("wish", ""))
    if guest is None or deed is None:
        raise Http404(lazy_message("The site does not know you yet: begin a game first."))
    deed(guest)
    return redirect(f"{reverse('calendar')}#own")


_DEEDS: Mapping[str, Callable[[Guest], object]] = {
    "make": services.make,
    "renew": services.renew,
    "end": services.end,
}
