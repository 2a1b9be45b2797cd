"""Queries for messages and notes."""

from typing import NamedTuple

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat.models import ChatChoice, Message, Note
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.tables.models import Table

SHOWN = 50
"""The maximum number of messages beside the board; the latest are shown."""
ALL = 500


_LAST = {
    most: PreparedQuery(
        lambda table, room, most=most: (
            Message.objects.select_related("author")
            .filter(table=table)
            .filter(room=room)
            .order_by("-pk")[:most]
        )
    )
    for most in (SHOWN, ALL)
}
_CHOICE = PreparedQuery(lambda guest: ChatChoice.objects.filter(guest=guest))


class RoomMessages(NamedTuple):
    """The messages in a table's room as visible to a reader."""

    messages: list[Message]
    """The latest messages, the oldest first, without those of people who block the reader or are blocked."""
    key: str
    """The key for the reader's next message, which is the same on all their pages."""


def room_messages(row: Table, room: Message.Room, reader: Guest, most: int = SHOWN) -> RoomMessages:
    """The latest messages in a room, as visible to a reader. `most` must be `SHOWN` or `ALL`.

    This runs with every action of players who face each other.
    """
    last = _LAST[most].rows(row.pk, room.value)[::-1]
    shown = last[-SHOWN:]
    own = [each.pk for each in shown if each.author_id == reader.pk]
    key = own[-1] if own else shown[0].pk if len(shown) == SHOWN else 0
    blocked = blocked_by_or_blocking(reader) if any(each.author_id != reader.pk for each in last) else ()
    return RoomMessages([each for each in last if each.author_id not in blocked], str(key))


def find_message(row: Table, number: int) -> Message | None:
    """The message at a table with a number, in any room, or None."""
    return Message.objects.filter(table=row, pk=number).select_related("author").first()


def is_off(guest: Guest) -> bool:
    """Whether a guest has switched messages off."""
    return any(choice.is_off for choice in _CHOICE.rows(guest.pk))


def is_room_used(row: Table) -> bool:
    """Whether the spectators' room has messages."""
    return Message.objects.filter(table=row, room=Message.Room.SPECTATORS).exists()


def note_of(owner: Guest, row: Table) -> str:
    """The text of a guest's note about a game; empty if there is none."""
    return Note.objects.filter(owner=owner, table=row).values_list("text", flat=True).first() or ""
