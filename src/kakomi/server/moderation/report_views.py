"""The pages on which people report somebody, and see what was decided about themselves."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.views import private
from kakomi.server.language import why
from kakomi.server.moderation import appeals
from kakomi.server.moderation.models import Measure
from kakomi.server.moderation.presenters import MeasureView, ReportView, TimeOutsView
from kakomi.server.moderation.report_page import report_page
from kakomi.server.people.selectors import find_person
from kakomi.server.ratings.selectors import suspensions_of
from kakomi.server.tables.selectors import find_table
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused

_SHOWN = 20


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_person(request: HttpRequest, handle: str) -> HttpResponse:
    """The form to report somebody with an account."""
    return report_page(request, find_person(handle).guest, reverse("person", args=[handle]))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_seat(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The form to report somebody who sits at a table."""
    row = find_table(code)
    seat = row.seats.select_related("guest").filter(number=number).first()
    if seat is None or seat.guest is None:
        raise Http404(lazy_message("Nobody sits there whom you could report."))
    return report_page(request, seat.guest, reverse("table", args=[code]), row)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def standing(request: HttpRequest) -> HttpResponse:
    """What staff have decided about oneself, and what became of one's reports; a POST appeals."""
    guest, wrong = guest_of(request), ""
    if request.method == "POST" and guest is not None:
        number = whole_number(request.POST.get("number"), digits=18) or 0
        try:
            appeals.appeal(number, guest, request.POST.get("text", ""))
        except Refused as error:
            wrong = why(error)
        else:
            return redirect("standing")
    measures = Measure.objects.filter(about=guest).select_related("about", "table", "appeal") if guest else []
    reports = guest.reports.select_related("case__about", "table").order_by("-pk")[:_SHOWN] if guest else []
    context = {
        "time_outs": [TimeOutsView(each) for each in suspensions_of(guest)] if guest else [],
        "measures": [MeasureView(each, clock.now()) for each in measures],
        "reports": [ReportView(each) for each in reports],
        "wrong": wrong,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "moderation/standing.html", context, status=status)
