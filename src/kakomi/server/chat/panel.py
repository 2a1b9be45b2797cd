"""The panels beside the board: the players' messages, the spectators' room, and a player's own note."""

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from kakomi.server.boards.fragments import fragment
from kakomi.server.chat import selectors
from kakomi.server.chat.models import LONGEST, Message
from kakomi.server.chat.services import why_muted
from kakomi.server.site.language import translate
from kakomi.server.tables.presenters import TablePresenter
from kakomi.server.tables.wording import entry_sentence

_OFFERS = ("offer", "accept", "decline", "withdraw")


def chat_panel(shown: TablePresenter) -> SafeString:
    """The players' latest messages and offers, and a field to write; empty for spectators and against bots.

    Spectators share one rendering, so nothing here may depend on which of them is viewing.
    """
    guest = shown.viewer.guest
    if guest is None or not shown.viewer.faces_people or shown.viewer.free:
        return mark_safe("")
    messages, key = selectors.room_messages(shown.row, Message.Room.PLAYERS, guest)
    # This is rendered with every action, so skip the query if there are no messages.
    is_off = bool(messages) and selectors.is_off(guest)
    said = [(each.at, each.author.display_name, each.text, each.author_id == guest.pk) for each in messages]
    offers = [entry for entry in shown.table.history if entry.kind in _OFFERS][-selectors.SHOWN :]
    told = [(each.at, "", entry_sentence(shown.table, shown.seats, each), None) for each in offers]
    return fragment(
        "chat",
        "chat/_panel.html",
        address=reverse("table_messages", args=[shown.row.code]),
        said=tuple(sorted([*said * (not is_off), *told], key=lambda each: each[0])),
        key=key,
        is_off=is_off,
        muted=translate(why_muted(guest)),
        longest=LONGEST,
    ).html


def room_panel(shown: TablePresenter) -> SafeString:
    """The spectators' room, for spectators, and for players once the match is over and it has messages.

    Its content is the same for all spectators, who share one rendering. The messages are loaded only when
    the room is opened, so they cost nothing during play.
    """
    viewer = shown.viewer
    if viewer.free or (viewer.is_player and not (shown.is_over and selectors.is_room_used(shown.row))):
        return mark_safe("")
    address = reverse("table_room", args=[shown.row.code])
    return fragment(
        "room", "chat/_room_panel.html", address=address, writes=not viewer.is_player, longest=LONGEST
    ).html


def note_panel(shown: TablePresenter) -> SafeString:
    """A player's own note.

    Its text is loaded only when it is opened, so it costs nothing during play.
    """
    if not shown.viewer.is_player:
        return mark_safe("")
    address = reverse("table_note", args=[shown.row.code])
    return fragment("note", "chat/_note_panel.html", address=address).html
