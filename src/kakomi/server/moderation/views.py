"""The pages of staff (the queue, a case, the log), the report forms, and a person's own standing."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.views import private
from kakomi.server.moderation import erasure_requests, reports, services
from kakomi.server.moderation.commands import key_of, reason_of, submission_of_form
from kakomi.server.moderation.models import Case, ErasureRequest, Measure, Report
from kakomi.server.moderation.permissions import ERASE, MODERATE, for_staff, staff_behind
from kakomi.server.moderation.presenters import (
    AuditView,
    CasePresenter,
    MeasureView,
    QueuedCase,
    ReportView,
    TimeOutsView,
    log_entries,
    new_key,
    open_cases,
)
from kakomi.server.moderation.reports import Complaint
from kakomi.server.moderation.wording import ACTS, REPORTS
from kakomi.server.people.profile import find_person
from kakomi.server.ratings.selectors import suspensions_of
from kakomi.server.site import clock
from kakomi.server.site.exceptions import Conflict
from kakomi.server.site.language import translate, why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused

QUEUE, LOG = 50, 50
"""Rows per page."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def queue(request: HttpRequest) -> HttpResponse:
    """The queue of open cases. A POST opens a case about somebody with an account."""
    wrong = ""
    if request.method == "POST":
        try:
            user = find_person(request.POST.get("handle", "").strip().removeprefix("@"))
            case = services.open_case(
                user.guest, staff_behind(request), key_of(request.POST), reason_of(request.POST)
            )
        except (Refused, Http404) as error:
            wrong = why(error) if isinstance(error, Refused) else translate(error.args[0])
        else:
            return redirect("moderation_case", case.pk)
    context = {
        "cases": QueuedCase.of(open_cases()[:QUEUE]),
        "count": open_cases().count(),
        "erasures": ErasureRequest.objects.count(),
        "wrong": wrong,
        "key": new_key(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "moderation/queue.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def case(request: HttpRequest, number: int) -> HttpResponse:
    """A case with its facts. A POST carries out a command in it."""
    wrong, status = "", HTTPStatus.OK
    if request.method == "POST":
        try:
            services.decide(number, staff_behind(request), submission_of_form(request.POST))
        except Case.DoesNotExist:
            raise Http404(_NO_CASE) from None
        except Conflict as error:
            wrong, status = why(error), HTTPStatus.CONFLICT
        except Refused as error:
            wrong, status = why(error), HTTPStatus.UNPROCESSABLE_ENTITY
        else:
            return redirect("moderation_case", number)
    return _case(request, _found(number), wrong, status)


@require_POST
@for_staff(ERASE)
def erasure(request: HttpRequest, number: int) -> HttpResponse:
    """Request, confirm or withdraw the erasure of a case's person."""
    found, by, form = _found(number), staff_behind(request), request.POST
    try:
        match form.get("kind"):
            case "ask":
                erasure_requests.ask(found.about, by, reason_of(form), key_of(form))
            case "withdraw":
                erasure_requests.withdraw(found.about, by, reason_of(form), key_of(form))
            case "confirm":
                erasure_requests.confirm(found.about, by, key_of(form))
                return redirect("moderation")
            case _:
                raise Refused(lazy_message("Choose an action."))
    except Conflict as error:
        return _case(request, _found(number), why(error), HTTPStatus.CONFLICT)
    except Refused as error:
        return _case(request, _found(number), why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("moderation_case", number)


@require_safe
@for_staff(MODERATE)
def log(request: HttpRequest) -> HttpResponse:
    """The audit log, the latest first, filtered by staff member, person and act."""
    asked = {name: request.GET.get(name, "").strip()[:60] for name in ("by", "about", "act")}
    before, rows = whole_number(request.GET.get("before"), digits=18), log_entries(**asked)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: LOG + 1])
    context = {
        "entries": [AuditView(each) for each in found[:LOG]],
        "older": urlencode({**asked, "before": str(found[LOG - 1].pk)}) if len(found) > LOG else "",
        "acts": ACTS.items(),
        **asked,
    }
    return render(request, "moderation/log.html", context)


_NO_CASE = lazy_message("Case not found.")


def _found(number: int) -> Case:
    found = Case.objects.select_related("about").filter(pk=number).first()
    if found is None:
        raise Http404(_NO_CASE)
    return found


def _case(request: HttpRequest, found: Case, wrong: str, status: int) -> HttpResponse:
    shown = CasePresenter(found, staff_behind(request), clock.now())
    return render(request, "moderation/case.html", {"shown": shown, "wrong": wrong}, status=status)


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
        raise Http404(lazy_message("There’s no player to report here."))
    return report_page(request, seat.guest, reverse("table", args=[code]), row)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def standing(request: HttpRequest) -> HttpResponse:
    """The viewer's own measures, and the outcomes of their reports. A POST appeals."""
    guest, wrong = guest_of(request), ""
    if request.method == "POST" and guest is not None:
        number = whole_number(request.POST.get("number"), digits=18) or 0
        try:
            services.appeal(number, guest, request.POST.get("text", ""))
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


_OF_THINGS = Report.Kind.TOURNAMENT
"""A kind that is offered only if the report has an address."""


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
    """The form to report somebody. A POST creates the report, with the quoted text if there is one."""
    reporter, form, wrong = guest_of(request), request.POST, ""
    complaint = Complaint(about, form.get("kind", kind), form.get("text", ""), table, quote, address, message)
    barred = reports.why_not_report(reporter, complaint)
    if request.method == "POST" and reporter is not None:
        try:
            reports.file_report(reporter, complaint)
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
