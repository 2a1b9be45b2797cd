"""The page on which somebody says when they rest."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.language import why
from kakomi.server.rests import selectors, services
from kakomi.server.rests.forms import regular_rests, vacation_days
from kakomi.server.rests.models import Rests
from kakomi.server.rests.presenters import RestsPresenter
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rests(request: HttpRequest) -> HttpResponse:
    """A guest's rests; a POST changes the regular ones, or books or ends a vacation."""
    wrong = ""
    if request.method == "POST":
        try:
            _change(request, known_guest(request))
        except Refused as error:
            wrong = why(error)
        else:
            return redirect(f"{reverse('rests')}?kept")
    guest = known_guest(request) if request.method == "POST" else guest_of(request)
    rested = selectors.rests_of(guest) if guest else Rests()
    shown = RestsPresenter(guest, rested, clock.now())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(
        request,
        "rests/rests.html",
        {"shown": shown, "wrong": wrong, "kept": "kept" in request.GET},
        status=status,
    )


def _change(request: HttpRequest, guest: Guest) -> None:
    form = request.POST
    if "end" in form:
        services.end_vacation(guest, whole_number(form["end"]) or 0)
    elif "first" in form:
        services.take_vacation(guest, *vacation_days(form, guest.time_zone))
    else:
        services.choose(guest, regular_rests(form, form.getlist("weekend")))
