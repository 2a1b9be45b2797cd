"""The pages of direct messages."""

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
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.views import report_page
from kakomi.server.people.profile import find_person
from kakomi.server.site.language import translate, why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.session import Refused


@require_safe
@private
def conversations(request: HttpRequest) -> HttpResponse:
    """The viewer's conversations, the latest first."""
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
    """The viewer's conversation with another person. A POST sends a message."""
    other, wrong, text = find_person(handle).guest, "", request.POST.get("text", "")
    if request.method == "POST":
        try:
            direct_messages.send_message(known_guest(request), other, text, request.POST.get("key", ""))
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
        raise Http404(lazy_message("There is no such page in this list. Go back to the first one."))
    part = messages_between(reader, other, before) if reader else None
    if reader and part and request.method == "GET":
        direct_messages.mark_read(reader, other)
    context = {
        "other": other,
        "reader": reader,
        "part": part,
        "before": before,
        "obstacle": translate(
            direct_messages.why_not_write_to(reader or Guest(), other)
            or (why_muted(reader) if reader else "")
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
def switch_messages(request: HttpRequest) -> HttpResponse:
    """Switch all messages off or on for the viewer."""
    services.set_messages_off(known_guest(request), is_off=request.POST.get("wanted") == "no")
    return redirect("conversations")


@require_http_methods(["GET", "HEAD", "POST"])
@private
def report_direct_message(request: HttpRequest, handle: str, number: int) -> HttpResponse:
    """The form to report a received message; the report includes its text."""
    author, reader = find_person(handle).guest, guest_of(request)
    message = find_received(reader, author, number) if reader else None
    if message is None:
        raise Http404(lazy_message("No messages here."))
    return report_page(request, author, request.path.rpartition("/")[0], quote=message.text, kind="chat")
