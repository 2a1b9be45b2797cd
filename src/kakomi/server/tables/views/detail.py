"""Pages that show a table."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.database import Prepared
from kakomi.server.tables import models
from kakomi.server.tables.fragments import Fragments, attributes, parse_etags
from kakomi.server.tables.permissions import Viewer
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.view_preferences import ViewPreferences

_CALLED = Prepared(lambda code: models.Table.objects.filter(code=code))


def found(code: str) -> models.Table:
    """The table with a code. Raises Http404 if there is none."""
    row = _CALLED.first(code)
    if row is None:
        raise Http404(
            lazy_message("There is no such table. It may have been deleted, or the link is not complete.")
        )
    return row


def is_part(request: HttpRequest) -> bool:
    """Whether only the part of a page that changes is asked for."""
    return bool(request.htmx)  # type: ignore[attr-defined]


def shown_to(request: HttpRequest, row: models.Table) -> TablePresenter:
    """A table as the sender of a request sees it."""
    return shown_of(request, row, Viewer.of(row, guest_of(request)))


def shown_of(request: HttpRequest, row: models.Table, viewer: Viewer, refusal: str = "") -> TablePresenter:
    """A table as a viewer sees it, at the moment and in the way that a request wishes."""
    asked = {name: _number(request.GET.get(name, "")) for name in ("game", "ply")}
    return TablePresenter.of(row, viewer, ViewPreferences.kept(request.session, row.game), refusal, **asked)


def answer(request: HttpRequest, shown: TablePresenter, status: int = 200) -> HttpResponse:
    """The page, or its table where that is asked for: to a page that says what it has, only what it lacks."""
    fragments = Fragments(request, shown)
    if is_part(request) and (has := request.headers.get("Kakomi-Etags")):
        lacking = "\n".join(fragment.element for fragment in fragments.lacking(parse_etags(has)))
        return HttpResponse(f"<section {attributes(shown)}>\n{lacking}\n</section>", status=status)
    template = "tables/_table.html" if is_part(request) else "tables/table.html"
    context = {"shown": shown, "fragments": fragments, "attributes": attributes(shown)}
    return render(request, template, context, status=status)


def table(request: HttpRequest, code: str) -> HttpResponse:
    """The whole page, or the part that changes when that is asked for.

    `ply` shows the game as it was after so many actions, `game` one of the match that is finished.
    """
    response = answer(request, shown_to(request, found(code)))
    response["Cache-Control"] = "private, no-cache"
    return response


@require_POST
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Remember how somebody wishes to see the boards of a game, and show it so."""
    row, guest = found(code), guest_of(request)
    ViewPreferences.of(request.POST).keep(request.session, row.game)
    if guest is not None and "confirms_known" in request.POST:
        guest.confirms_turns = "confirms" in request.POST
        guest.save(update_fields=["confirms_turns"])
    if not is_part(request):
        return redirect("table", code)
    return answer(request, shown_to(request, row))


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 7 else None
