"""The pages of a table's messages, for players, spectators and staff, and of a player's own note."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.views import private
from kakomi.server.boards.fragments import is_partial
from kakomi.server.chat import selectors, services
from kakomi.server.chat.models import LONGEST, LONGEST_NOTE, Message
from kakomi.server.chat.services import why_muted
from kakomi.server.moderation.commands import key_of, reason_of
from kakomi.server.moderation.permissions import MODERATE, for_staff, may, staff_behind
from kakomi.server.moderation.presenters import new_key
from kakomi.server.moderation.views import report_page
from kakomi.server.site.language import translate, why
from kakomi.server.site.whole_numbers import whole_number
from kakomi.server.tables.models import Table
from kakomi.server.tables.selectors import find_table
from kakomi.session import Refused

_ADDRESSES = {Message.Room.PLAYERS: "table_messages", Message.Room.SPECTATORS: "table_room"}
_NOTHING = lazy_message("No messages here.")
_NO_NOTE = lazy_message("Only players can write notes.")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def messages(request: HttpRequest, code: str) -> HttpResponse:
    """The players' messages. A POST writes one; a page with scripts gets only the status."""
    row = find_table(code)
    return _conversation(request, row, Message.Room.PLAYERS, _reader(request, row))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def room(request: HttpRequest, code: str) -> HttpResponse:
    """The spectators' messages. A page with scripts gets only the list, for its drawer."""
    row, guest = find_table(code), guest_of(request)
    if guest is None or not (guest.has_user or services.has_seat(row, guest)):
        template = "chat/_room.html" if is_partial(request) else "chat/room_closed.html"
        return render(request, template, {"code": code})
    return _conversation(
        request, row, Message.Room.SPECTATORS, _reader(request, row, Message.Room.SPECTATORS)
    )


def _conversation(request: HttpRequest, row: Table, place: Message.Room, reader: Guest) -> HttpResponse:
    wrong, text = "", request.POST.get("text", "")
    if request.method == "POST":
        try:
            services.write_message(row, reader, text, request.POST.get("message", ""), place)
        except Refused as error:
            wrong = why(error)
        else:
            return (
                HttpResponse(status=HTTPStatus.NO_CONTENT) if is_partial(request) else redirect(request.path)
            )
    is_drawer = is_partial(request) and place == Message.Room.SPECTATORS and not wrong
    found = selectors.room_messages(row, place, reader, selectors.SHOWN if is_drawer else selectors.ALL)
    is_of_players = place == Message.Room.PLAYERS
    may_write = services.may_write if is_of_players else services.may_write_room
    context = {
        "code": row.code,
        "is_of_players": is_of_players,
        "messages": found.messages,
        "reader": reader,
        "may_write": may_write(row, reader),
        "is_off": selectors.is_off(reader),
        "muted": translate(why_muted(reader)),
        "is_staff": may(request.user, MODERATE),
        "key": found.key,
        "removal_key": new_key(),
        "longest": LONGEST,
        "wrong": wrong,
        "text": text if wrong else "",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "chat/_room.html" if is_drawer else "chat/messages.html", context, status=status)


@require_POST
def switch_messages(request: HttpRequest, code: str) -> HttpResponse:
    """Switch all messages off or on for the viewer."""
    place = _room_named(request.POST.get("room", ""))
    reader = _reader(request, find_table(code), place)
    services.set_messages_off(reader, is_off=request.POST.get("wanted") == "no")
    return redirect(_ADDRESSES[place], code)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_message(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The form to report a message; the report includes its text."""
    row = find_table(code)
    message = _found(row, number)
    place = _room_named(message.room)
    _reader(request, row, place)
    back = reverse(_ADDRESSES[place], args=[code])
    return report_page(
        request, message.author, back, row, quote=message.text, kind="chat", message=message.pk
    )


@require_POST
@for_staff(MODERATE)
def remove_message(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Remove a message's text, as staff, with a reason."""
    message = _found(find_table(code), number)
    try:
        services.remove_message(
            message,
            staff_behind(request),
            reason_of(request.POST),
            key_of(request.POST),
        )
    except Refused as error:
        return HttpResponse(why(error), status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain")
    if (case := whole_number(request.POST.get("case"), digits=18)) is not None:
        return redirect("moderation_case", case)
    return redirect(_ADDRESSES[_room_named(message.room)], code)


@require_http_methods(["GET", "HEAD", "POST"])
@private
def note(request: HttpRequest, code: str) -> HttpResponse:
    """A player's own note on the game. A POST saves it. A page with scripts gets it for its drawer."""
    row, guest = find_table(code), guest_of(request)
    if guest is None or not services.has_seat(row, guest):
        raise Http404(_NO_NOTE)
    text, wrong = selectors.note_of(guest, row), ""
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            services.save_note(guest, row, text)
        except Refused as error:
            wrong = why(error)
        else:
            return redirect("table", code)
    context = {"code": code, "text": text, "longest": LONGEST_NOTE, "wrong": wrong}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    template = "chat/_note.html" if is_partial(request) else "chat/note.html"
    return render(request, template, context, status=status)


def _reader(request: HttpRequest, row: Table, place: Message.Room = Message.Room.PLAYERS) -> Guest:
    """The viewer, if they may read a room. Staff may read both unless they play there. Raises Http404."""
    guest = guest_of(request)
    if guest is None:
        raise Http404(_NOTHING)
    is_player = services.has_seat(row, guest)
    is_in = is_player if place == Message.Room.PLAYERS else services.may_read_room(row, guest)
    if not is_in and (is_player or not may(request.user, MODERATE)):
        raise Http404(_NOTHING)
    return guest


def _room_named(text: str) -> Message.Room:
    return Message.Room.SPECTATORS if text == Message.Room.SPECTATORS else Message.Room.PLAYERS


def _found(row: Table, number: int) -> Message:
    found = selectors.find_message(row, number)
    if found is None:
        raise Http404(_NOTHING)
    return found
