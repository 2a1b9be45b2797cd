"""Beside the board: messages of those who play each other and of those who watch, and a player's own note."""

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boardview.fragments import fragment
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST, Message
from kakomi.server.chat.services import why_muted
from kakomi.server.language import translate
from kakomi.server.tables.presenters import TablePresenter


def chat_panel(shown: TablePresenter) -> SafeString:
    """The last messages with a field to write one; nothing for spectators, and for those alone with bots.

    Spectators share what they are sent with the news, so nothing here may depend on which of them looks.
    """
    guest = shown.viewer.guest
    if guest is None or not shown.viewer.faces_people or shown.viewer.free:
        return mark_safe("")
    messages, key = selectors.conversation(shown.row, Message.Room.PLAYERS, guest)
    # Where nobody has written nothing more is asked: this is made with every action.
    is_off = bool(messages) and selectors.is_off(guest)
    messages = [] if is_off else messages
    said = tuple((each.author.called, each.text, each.author_id == guest.pk) for each in messages)
    return fragment(
        "chat",
        "chat/_panel.html",
        address=reverse("table_messages", args=[shown.row.code]),
        said=said,
        key=key,
        is_off=is_off,
        muted=translate(why_muted(guest)),
        longest=LONGEST,
    ).html


def room_panel(shown: TablePresenter) -> SafeString:
    """The room of the spectators, for those who watch, and for players once the match is over and there is
    something to read.

    It is the same for all who watch, as they share what they are sent: what is said there is loaded by who
    opens it, and costs an action at the board nothing.
    """
    viewer = shown.viewer
    if viewer.free or (viewer.is_player and not (shown.is_over and selectors.is_room_used(shown.row))):
        return mark_safe("")
    address = reverse("table_room", args=[shown.row.code])
    return fragment(
        "room", "chat/_room_panel.html", address=address, writes=not viewer.is_player, longest=LONGEST
    ).html


def note_panel(shown: TablePresenter) -> SafeString:
    """The viewer's own note, for those who play there.

    It is loaded by who opens it, so that an action at the board doesn't ask for it.
    """
    if not shown.viewer.is_player:
        return mark_safe("")
    address = reverse("table_note", args=[shown.row.code])
    return fragment("note", "chat/_note_panel.html", address=address).html
