"""The pages of staff: the queue, a case, the log."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.exceptions import Conflict
from kakomi.server.language import translate, why
from kakomi.server.moderation import erasure_requests, services
from kakomi.server.moderation.commands import key_of, reason_of, submission_of_form
from kakomi.server.moderation.models import Case, ErasureRequest
from kakomi.server.moderation.permissions import ERASE, MODERATE, for_staff, staff_behind
from kakomi.server.moderation.presenters import AuditView, CasePresenter, QueuedCase, log_entries, new_key
from kakomi.server.moderation.queue import open_cases
from kakomi.server.moderation.wording import ACTS
from kakomi.server.people.selectors import find_person
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused

QUEUE, LOG = 50, 50
"""Rows of a page."""


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def queue(request: HttpRequest) -> HttpResponse:
    """What waits; a POST opens a case about somebody with an account."""
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
    return render(request, "moderation/queue.html", context, status=_status(wrong))


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def case(request: HttpRequest, number: int) -> HttpResponse:
    """A case with its facts; a POST decides something in it."""
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
    """Ask for the erasure of a case's person, confirm it, or take the request back."""
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
                raise Refused(lazy_message("Choose what should be done."))
    except Conflict as error:
        return _case(request, _found(number), why(error), HTTPStatus.CONFLICT)
    except Refused as error:
        return _case(request, _found(number), why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    return redirect("moderation_case", number)


@require_safe
@for_staff(MODERATE)
def log(request: HttpRequest) -> HttpResponse:
    """What staff did, the last first; by whom, about whom, and what."""
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


_NO_CASE = lazy_message("There is no such case.")


def _found(number: int) -> Case:
    found = Case.objects.select_related("about").filter(pk=number).first()
    if found is None:
        raise Http404(_NO_CASE)
    return found


def _case(request: HttpRequest, found: Case, wrong: str, status: int) -> HttpResponse:
    shown = CasePresenter(found, staff_behind(request), clock.now())
    return render(request, "moderation/case.html", {"shown": shown, "wrong": wrong}, status=status)


def _status(wrong: str) -> HTTPStatus:
    return HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
