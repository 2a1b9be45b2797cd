"""Names and descriptions of tournaments: reported to staff, and changed by them."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from kakomi.server.accounts.models import User
from kakomi.server.database import writing
from kakomi.server.language import why
from kakomi.server.moderation.audit_log import note, was_done
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.models import TEXT_LENGTH
from kakomi.server.moderation.permissions import MODERATE, expect_other, for_staff, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.report_page import report_page
from kakomi.server.notices.services import kept_in, notify
from kakomi.server.tournaments import logs, selectors
from kakomi.server.tournaments.models import LONGEST_NAME, Tournament
from kakomi.server.tournaments.notices import address_of
from kakomi.server.tournaments.terms import check_name
from kakomi.session import Refused


def rename(
    row: Tournament, by: User, name: str, reason: str, key: str, *, takes_description: bool = False
) -> None:
    """Rename a tournament, as staff. The reason is kept in the log and sent to the organiser.

    The description may be removed with it. Under the same key it is done once. No log has the old texts.
    Raises Refused for a name that can't be, and for one's own tournament.
    """
    name = " ".join(name.split())
    check_name(name)
    with writing():
        row = logs.locked(row.pk)
        description = "" if takes_description else row.description
        if was_done(by, key) or (row.name, row.description) == (name, description):
            return
        expect_other(by, row.organiser)
        row.name, row.description = name, description
        row.save(update_fields=["name", "description"])
        noted = note(by, row.organiser, "tournament", reason, key, {"tournament": row.code})
        if not row.organiser.is_erased:
            words = kept_in(noted, "reason")
            data = {"tournament": kept_in(row, "name"), "words": words, "address": address_of(row)}
            notify(row.organiser, "tournament_renamed", str(noted.pk), data)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def reporting(request: HttpRequest, code: str) -> HttpResponse:
    """The form to report the name of a tournament; staff get it with the report, about its organiser."""
    row = selectors.find_tournament(code)
    back = reverse("tournament", args=[code])
    quote = f"{row.name}\n{row.description}".strip()[:TEXT_LENGTH]
    return report_page(request, row.organiser, back, quote=quote, kind="tournament", address=back)


@require_http_methods(["GET", "HEAD", "POST"])
@for_staff(MODERATE)
def renaming(request: HttpRequest, code: str) -> HttpResponse:
    """The form to give a tournament another name, for staff."""
    row, form, wrong = selectors.find_tournament(code), request.POST, ""
    if request.method == "POST":
        try:
            staff, name = staff_behind(request), form.get("name", "")
            takes = "takes_description" in form
            rename(row, staff, name, reason_of(form), key_of(form), takes_description=takes)
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
