"""Pages of what two people write to each other."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of, known_guest
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import has_blocked
from kakomi.server.accounts.views import private
from kakomi.server.chat import direct_messages, selectors, services
from kakomi.server.chat.direct_messages import conversations_of, find_received, messages_between
from kakomi.server.chat.models import LONGEST_DIRECT
from kakomi.server.chat.services import why_muted
from kakomi.server.language import translate, why
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.views import report_page
from kakomi.server.people.selectors import find_person
from kakomi.server.whole_numbers import whole_number
from kakomi.session import Refused


@require_safe
@private
def conversations(request: HttpRequest) -> HttpResponse:
    """All conversations of one's own, the last one first."""
    guest = guest_of(request)
    has_account = guest is not None and guest.handle is not None
    context = {
        "has_account": has_account,
        "conversations": conversations_of(guest) if guest is not None and has_account else [],
        "is_off": guest is not None and selectors.is_off(guest),
    }
    return render(request, "chat/conversations.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def conversation(request: HttpRequest, handle: str) -> HttpResponse:
    """What one and another person have written to each other; a POST writes something."""
    other, wrong, text = find_person(handle).guest, "", request.POST.get("text", "")
    if request.method == "POST":
        try:
            direct_messages.send(known_guest(request), other, text, request.POST.get("key", ""))
        except Refused as error:
            wrong = why(error)
        else:
            return redirect("conversation", handle)
    return _conversation(request, other, wrong, text)


def _conversation(request: HttpRequest, other: Guest, wrong: str, text: str) -> HttpResponse:
    reader = guest_of(request)
    asked = request.GET.get("before", "")
    before = whole_number(asked, digits=18)
    if asked and before is None:
        raise Http404(lazy_message("There is no such page of the list. Begin at its start."))
    part = messages_between(reader, other, before) if reader else None
    if reader and part and request.method == "GET":
        direct_messages.note_read(reader, other)
    context = {
        "other": other,
        "reader": reader,
        "part": part,
        "before": before,
        "obstacle": translate(
            direct_messages.why_not_between(reader or Guest(), other) or (why_muted(reader) if reader else "")
        ),
        "person": other.user,
        "is_blocked": has_blocked(reader, other),
        "key": request.POST.get("key", "") if wrong else new_key(),
        "longest": LONGEST_DIRECT,
        "wrong": wrong,
        "text": text if wrong else "",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "chat/conversation.html", context, status=status)


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Switch messages off or on, at tables and from everybody."""
    services.choose(known_guest(request), is_off=request.POST.get("wanted") == "no")
    return redirect("conversations")


@require_http_methods(["GET", "HEAD", "POST"])
@private
def report(request: HttpRequest, handle: str, number: int) -> HttpResponse:
    """The form to report a message that one was sent; staff get its text with the report."""
    author, reader = find_person(handle).guest, guest_of(request)
    message = find_received(reader, author, number) if reader else None
    if message is None:
        raise Http404(lazy_message("There are no messages here for you."))
    return report_page(request, author, request.path.rpartition("/")[0], quote=message.text, kind="chat")
