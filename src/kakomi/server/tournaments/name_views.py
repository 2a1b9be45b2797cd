"""Pages about the names of tournaments: a report to staff, and what they do about it."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kakomi.server.language import why
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.models import TEXT_LENGTH
from kakomi.server.moderation.permissions import MODERATE, for_staff, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.report_page import report_page
from kakomi.server.tournaments import names, selectors
from kakomi.server.tournaments.models import LONGEST_NAME
from kakomi.session import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report(request: HttpRequest, code: str) -> HttpResponse:
    """The form to report the name of a tournament; staff get it with the report, about its organiser."""
    row = selectors.find_tournament(code)
    back = reverse("tournament", args=[code])
    quote = f"{row.name}\n{row.description}".strip()[:TEXT_LENGTH]
    return report_page(request, row.organiser, back, quote=quote, kind="tournament", address=back)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def rename(request: HttpRequest, code: str) -> HttpResponse:
    """The form to give a tournament another name, for staff."""
    row, form, wrong = selectors.find_tournament(code), request.POST, ""
    if request.method == "POST":
        try:
            staff, name = staff_behind(request), form.get("name", "")
            takes = "takes_description" in form
            names.rename(row, staff, name, reason_of(form), key_of(form), takes_description=takes)
        except Refused as error:
            wrong = why(error)
        else:
            return redirect("tournament", code)
    context = {
        "row": row,
        "wrong": wrong,
        "name": form.get("name", f"Tournament {row.code}"),
        "reason": form.get("reason", ""),
        "longest": LONGEST_NAME,
        "key": form.get("key") or new_key(),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "tournaments/rename.html", context, status=status)
