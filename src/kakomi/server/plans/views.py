"""The planning page. Actions on it aren't played at the table."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from kakomi.core import IllegalAction
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.boards.board_look import ViewPreferences
from kakomi.server.boards.fragments import is_partial, respond
from kakomi.server.boards.presenters import effects_data
from kakomi.server.boards.sharing import unlisted
from kakomi.server.plans import services
from kakomi.server.plans.commands import Place, command_of_form, handle_plan_command
from kakomi.server.plans.fragments import fragments_of
from kakomi.server.plans.permissions import why_not
from kakomi.server.plans.presenters import PlanPresenter
from kakomi.server.site.language import why
from kakomi.server.tables import selectors
from kakomi.server.tables.commands import Stale
from kakomi.server.tables.permissions import Viewer
from kakomi.session import Refused


@require_safe
def plan(request: HttpRequest, code: str) -> HttpResponse:
    """The page at a place in the viewer's plan. Viewers who can't plan are redirected to the table."""
    return _shown(request, code, Place.of(request.GET))


@require_POST
def change(request: HttpRequest, code: str) -> HttpResponse:
    """Change the plan or move within it, and return the updated page."""
    row = selectors.find_table(code)
    viewer = Viewer.of(row, guest_of(request))
    place = Place.of(request.POST)
    try:
        place = handle_plan_command(row, viewer, command_of_form(request.POST))
    except Stale as error:
        return _shown(request, code, Place(), why(error), HTTPStatus.CONFLICT)
    except (Refused, IllegalAction) as error:
        return _shown(request, code, place, why(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    if not is_partial(request):
        query = urlencode(place.query)
        return redirect(f"{reverse('plan', args=[code])}{'?' if query else ''}{query}")
    return _shown(request, code, place)


@require_POST
def disarm(request: HttpRequest, code: str) -> HttpResponse:
    """Disarm the plan, from the table's page."""
    row = selectors.find_table(code)
    services.disarm(row, Viewer.of(row, guest_of(request)))
    return redirect("table", code)


@require_POST
def dismiss(request: HttpRequest, code: str) -> HttpResponse:
    """Dismiss the messages about the last plan, from the table's page."""
    row = selectors.find_table(code)
    services.dismiss(row, Viewer.of(row, guest_of(request)))
    return redirect("table", code)


@require_safe
def effects(request: HttpRequest, code: str) -> HttpResponse:
    """The effects of each action at a place in the plan, as JSON."""
    shown = _presented(request, code, Place.of(request.GET))
    response = JsonResponse(effects_data(shown.position) if shown and shown.acting else {"effects": {}})
    response["Cache-Control"] = "private, no-store"
    return response


def _presented(request: HttpRequest, code: str, place: Place, refusal: str = "") -> PlanPresenter | None:
    """The plan's presenter for the viewer; None if they can't plan here."""
    row = selectors.find_table(code)
    table, viewer = selectors.table_of(row), Viewer.of(row, guest_of(request))
    if why_not(table, viewer):
        return None
    preferences = ViewPreferences.saved(request.session, row.game) or ViewPreferences()
    return PlanPresenter(row, table, viewer, place, preferences, refusal)


def _shown(
    request: HttpRequest, code: str, place: Place, refusal: str = "", status: int = HTTPStatus.OK
) -> HttpResponse:
    shown = _presented(request, code, place, refusal)
    if shown is None:
        if is_partial(request):
            return HttpResponseClientRedirect(reverse("table", args=[code]))
        return redirect("table", code)
    return unlisted(
        respond(request, fragments_of(request, shown), "plans/plan.html", {"shown": shown}, status)
    )
