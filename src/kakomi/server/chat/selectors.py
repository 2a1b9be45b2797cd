"""Queries for messages and notes."""

from typing import NamedTuple

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat.models import ChatChoice, Message, Note
from kakomi.server.django_private import PreparedQuery
from kakomi.server.tables.models import Table

SHOWN = 50
"""Messages beside the board, the last ones."""
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


class Conversation(NamedTuple):
    """What somebody reads in a room of a table."""

    messages: list[Message]
    """The last ones, the latest at the end; none of people with whom the reader has nothing to do."""
    key: str
    """The key under which their next one is sent, on which their pages agree."""


def conversation(row: Table, room: Message.Room, reader: Guest, most: int = SHOWN) -> Conversation:
    """The last messages in a room, `SHOWN` or `ALL`, as somebody reads them. It is asked with every action of
    those who play each other."""
    last = _LAST[most].rows(row.pk, room.value)[::-1]
    shown = last[-SHOWN:]
    own = [each.pk for each in shown if each.author_id == reader.pk]
    key = own[-1] if own else shown[0].pk if len(shown) == SHOWN else 0
    kept = blocked_by_or_blocking(reader) if any(each.author_id != reader.pk for each in last) else ()
    return Conversation([each for each in last if each.author_id not in kept], str(key))


def find_message(row: Table, number: int) -> Message | None:
    """A message at a table, in any room, by its number."""
    return Message.objects.filter(table=row, pk=number).select_related("author").first()


def is_off(guest: Guest) -> bool:
    """Whether somebody wants no messages."""
    return any(choice.is_off for choice in _CHOICE.rows(guest.pk))


def is_room_used(row: Table) -> bool:
    """Whether somebody who watched has written."""
    return Message.objects.filter(table=row, room=Message.Room.SPECTATORS).exists()


def note_of(owner: Guest, row: Table) -> str:
    """What somebody has noted down about a game; empty if nothing."""
    return Note.objects.filter(owner=owner, table=row).values_list("text", flat=True).first() or ""
