"""Opening a table, and sitting down at one."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from kakomi import catalog
from kakomi.core import Description
from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.tables import models, services
from kakomi.server.tables.exceptions import InvalidTableRequest
from kakomi.server.tables.forms import TableForm
from kakomi.server.tables.invitation import Invitation
from kakomi.server.tables.table_request import TableRequest


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest, game: str) -> HttpResponse:
    """The form for a game, or the table that it asks for."""
    if game not in catalog.names():
        raise Http404(
            lazy_message(
                "There is no game {name}. There are: {names}.",
                name=repr(game),
                names=", ".join(catalog.names()),
            )
        )
    description = catalog.describe(game)
    if request.method != "POST":
        return _form(request, TableForm(description, request.GET.dict()))
    form = {name: str(value) for name, value in request.POST.items()}
    try:
        return redirect("table", _begun(request, description, form).code)
    except InvalidTableRequest as unclear:
        return _form(request, TableForm(description, form, unclear.errors), status=422)


def _begun(request: HttpRequest, description: Description, form: dict[str, str]) -> models.Table:
    opening = TableRequest.of(description, form)
    return services.begin(opening.terms, opening.sitters(known_guest(request)), opening.control)


def _form(request: HttpRequest, asked: TableForm, status: int = 200) -> HttpResponse:
    template = "tables/_begin.html" if request.htmx else "tables/begin.html"  # type: ignore[attr-defined]
    return render(request, template, {"asked": asked, "description": asked.description}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, invitation: str) -> HttpResponse:
    """The invitation to a seat; who accepts it sits down."""
    seat = models.Seat.objects.select_related("table").filter(invitation=invitation).first()
    if seat is None:
        raise Http404(lazy_message("There is no such invitation. The link may not be complete."))
    guest = guest_of(request)
    if guest is not None and seat.guest_id == guest.pk:
        return redirect("table", seat.table.code)
    invited = Invitation.of(seat, guest)
    if request.method == "POST" and invited.may_sit_down and services.sit_down(seat, known_guest(request)):
        return redirect("table", seat.table.code)
    seat.refresh_from_db()
    context = {"invited": Invitation.of(seat, guest)}
    return render(request, "tables/join.html", context, status=200 if seat.is_free else 409)
