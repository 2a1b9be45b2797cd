"""Pages with notes of one's own."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from kakomi import catalog
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.views import private
from kakomi.server.boardview.fragments import is_partial
from kakomi.server.language import translate, why
from kakomi.server.notebook import services
from kakomi.server.notebook.models import LONGEST, Note
from kakomi.server.people.selectors import find_person
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused

SHOWN = 200


@require_safe
@private
def notebook(request: HttpRequest) -> HttpResponse:
    """All notes of one's own, the last one first."""
    guest = guest_of(request)
    notes = Note.objects.filter(owner=guest) if guest else Note.objects.none()
    shown = notes.select_related("table", "about").order_by("-at")[:SHOWN]
    return render(request, "notebook/notebook.html", {"notes": shown})


@require_http_methods(["GET", "HEAD", "POST"])
@private
def on_game(request: HttpRequest, code: str) -> HttpResponse:
    """One's note on a game; a POST keeps it. A page with scripts gets the note alone, for its drawer."""
    row = find_table(code)
    if is_partial(request) and request.method != "POST":
        guest = guest_of(request)
        context = {"address": request.path, "text": services.note_of(guest, row) if guest else ""}
        return render(request, "notebook/_drawer.html", context)
    title = translate(catalog.describe(row.game).title)
    return _note(request, row, reverse("table", args=[code]), title)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def on_person(request: HttpRequest, handle: str) -> HttpResponse:
    """One's note on somebody with an account; a POST keeps it."""
    guest = find_person(handle).guest
    return _note(request, guest, reverse("person", args=[handle]), guest.called)


def _note(request: HttpRequest, subject: Table | Guest, back: str, title: str) -> HttpResponse:
    guest, wrong = guest_of(request), ""
    text = services.note_of(guest, subject) if guest else ""
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            services.keep(known_guest(request), subject, text)
        except Refused as error:
            wrong = why(error)
        else:
            return redirect(back)
    context = {"title": title, "text": text, "back": back, "wrong": wrong, "longest": LONGEST}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "notebook/note.html", context, status=status)
