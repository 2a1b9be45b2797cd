"""Schedules, for staff: with their next dates, set up from a tournament, switched off and on."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.language import why
from kakomi.server.moderation.commands import key_of
from kakomi.server.moderation.permissions import for_staff, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.schedules import services
from kakomi.server.schedules.forms import ScheduleForm
from kakomi.server.schedules.models import LONGEST_TITLE, Schedule
from kakomi.server.schedules.presenters import schedule_views
from kakomi.server.tournaments.models import Tournament
from kakomi.server.tournaments.presenters import Card
from kakomi.server.tournaments.selectors import find_tournament
from kakomi.session import Refused

SCHEDULE = "schedules.schedule"


@require_safe
@for_staff(SCHEDULE)
def schedules(request: HttpRequest) -> HttpResponse:
    """All schedules, with their next dates."""
    context = {"schedules": schedule_views(clock.now()), "key": new_key()}
    return render(request, "schedules/schedules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(SCHEDULE)
def new(request: HttpRequest, code: str) -> HttpResponse:
    """The form to have a tournament come again; a POST sets it up."""
    pattern = find_tournament(code)
    if request.method != "POST":
        zone = staff_behind(request).guest.time_zone
        return _new(
            request, pattern, ScheduleForm(initial={"name": pattern.name[:LONGEST_TITLE], "zone": zone})
        )
    form = ScheduleForm(request.POST)
    if form.is_valid():
        try:
            services.set_up(pattern, form.plan, staff_behind(request), key_of(request.POST))
        except Refused as error:
            form.add_error(None, why(error))
        else:
            return redirect("schedules")
    return _new(request, pattern, form, HTTPStatus.UNPROCESSABLE_ENTITY)


def _new(
    request: HttpRequest, pattern: Tournament, form: ScheduleForm, status: int = HTTPStatus.OK
) -> HttpResponse:
    key = request.POST.get("key") or new_key()
    context = {"form": form, "card": Card(pattern, 0), "key": key}
    return render(request, "schedules/new.html", context, status=status)


@require_POST
@for_staff(SCHEDULE)
def switch(request: HttpRequest, number: int) -> HttpResponse:
    """Switch a schedule off or on."""
    row = Schedule.objects.filter(pk=number).first()
    if row is None:
        raise Http404(lazy_message("There is no such schedule."))
    try:
        key = key_of(request.POST)
    except Refused as error:
        return HttpResponse(why(error), status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain")
    services.switch(row, staff_behind(request), key, is_on=request.POST.get("wish") == "on")
    return redirect("schedules")
