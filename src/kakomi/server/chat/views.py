"""All messages of a table on a page of their own: for who plays there, and for staff."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.boardview.fragments import is_partial
from kakomi.server.chat import selectors, services
from kakomi.server.chat.models import LONGEST, Message
from kakomi.server.language import why
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.permissions import MODERATE, for_staff, may, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.report_page import report_page
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused

_NOTHING = lazy_message("There are no messages here for you.")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def messages(request: HttpRequest, code: str) -> HttpResponse:
    """The messages of a table; a POST writes one, of which a page with scripts needs the status alone."""
    row, wrong, text = find_table(code), "", request.POST.get("text", "")
    reader = _reader(request, row)
    if request.method == "POST":
        try:
            services.write(row, reader, text, request.POST.get("message", ""))
        except Refused as error:
            wrong = why(error)
        else:
            return (
                HttpResponse(status=HTTPStatus.NO_CONTENT) if is_partial(request) else redirect(request.path)
            )
    context = {
        "code": code,
        "messages": selectors.messages_at(row, reader, selectors.ALL),
        "reader": reader,
        "is_player": services.may_write(row, reader),
        "is_off": selectors.is_off(reader),
        "is_staff": may(request.user, MODERATE),
        "key": selectors.next_key(row, reader),
        "deed": new_key(),
        "longest": LONGEST,
        "wrong": wrong,
        "text": text if wrong else "",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "chat/messages.html", context, status=status)


@require_POST
def choose(request: HttpRequest, code: str) -> HttpResponse:
    """Switch messages off or on, at all tables."""
    services.choose(_reader(request, find_table(code)), is_off=request.POST.get("wanted") == "no")
    return redirect("table_messages", code)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The form to report a message; staff get its text with the report."""
    row = find_table(code)
    _reader(request, row)
    message = _found(row, number)
    return report_page(
        request, message.author, request.path.rpartition("/")[0], row, quote=message.text, kind="chat"
    )


@require_POST
@for_staff(MODERATE)
def remove(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Take a message's text away, as staff, for a reason."""
    try:
        services.remove(
            _found(find_table(code), number),
            staff_behind(request),
            reason_of(request.POST),
            key_of(request.POST),
        )
    except Refused as error:
        return HttpResponse(why(error), status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain")
    return redirect("table_messages", code)


def _reader(request: HttpRequest, row: Table) -> Guest:
    """Who reads the messages of a table: a player or staff. Raises Http404 for anybody else."""
    guest = guest_of(request)
    is_player = guest is not None and row.seats.filter(guest=guest).exists()
    if guest is None or not (is_player or may(request.user, MODERATE)):
        raise Http404(_NOTHING)
    return guest


def _found(row: Table, number: int) -> Message:
    found = selectors.find_message(row, number)
    if found is None:
        raise Http404(_NOTHING)
    return found
