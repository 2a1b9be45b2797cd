"""The page on which somebody is reported, for whoever leads there: a person, a seat, a message."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.language import why
from kakomi.server.moderation import reports
from kakomi.server.moderation.models import Report
from kakomi.server.moderation.reports import Complaint
from kakomi.server.moderation.wording import REPORTS
from kakomi.server.tables.models import Table
from kakomi.session import Refused

_OF_THINGS = Report.Kind.TOURNAMENT
"""A kind that only the page of such a thing offers."""


def report_page(
    request: HttpRequest,
    about: Guest,
    back: str,
    table: Table | None = None,
    *,
    quote: str = "",
    kind: str = "other",
    address: str = "",
    message: int | None = None,
) -> HttpResponse:
    """The form to report somebody; a POST keeps the report, with what was said if it is about that."""
    reporter, form, wrong = guest_of(request), request.POST, ""
    complaint = Complaint(about, form.get("kind", kind), form.get("text", ""), table, quote, address, message)
    barred = reports.why_not(reporter, complaint)
    if request.method == "POST" and reporter is not None:
        try:
            reports.report(reporter, complaint)
        except Refused as error:
            wrong = why(error)
        else:
            return render(request, "moderation/reported.html", {"back": back})
    elif barred:
        wrong = why(Refused(barred))
    context = {
        "about": about,
        "kinds": [(name, label) for name, label in REPORTS.items() if name != _OF_THINGS or address],
        "kind": complaint.kind,
        "text": complaint.text,
        "quote": quote,
        "back": back,
        "wrong": wrong,
        "is_barred": bool(barred) and request.method != "POST",
    }
    is_refused = bool(wrong) and request.method == "POST"
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "moderation/report.html", context, status=status)
