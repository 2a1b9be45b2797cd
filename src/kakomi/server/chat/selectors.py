"""Queries for messages."""

from typing import NamedTuple

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat.models import ChatChoice, Message
from kakomi.server.django_private import PreparedQuery
from kakomi.server.tables.models import Table

SHOWN = 50
"""Messages beside the board, the last ones."""
ALL = 500


_LAST = PreparedQuery(
    lambda table: Message.objects.select_related("author").filter(table=table).order_by("-pk")[:SHOWN]
)
_CHOICE = PreparedQuery(lambda guest: ChatChoice.objects.filter(guest=guest))


class Recent(NamedTuple):
    """What a reader has beside the board."""

    messages: list[Message]
    """The last ones, the latest at the end."""
    key: str
    """The key of their next one, as `next_key` has it while one of theirs is among the last."""


def recent_messages(row: Table, reader: Guest) -> Recent:
    """The last messages at a table that somebody reads. It is asked with every action there."""
    last = _LAST.rows(row.pk)[::-1]
    own = [each.pk for each in last if each.author_id == reader.pk]
    key = own[-1] if own else last[0].pk if len(last) == SHOWN else 0
    kept = blocked_by_or_blocking(reader) if len(own) < len(last) else ()
    return Recent([each for each in last if each.author_id not in kept], str(key))


def messages_at(row: Table, reader: Guest, most: int) -> list[Message]:
    """The last messages at a table that somebody reads: none of people with whom they have nothing to do."""
    kept = blocked_by_or_blocking(reader)
    rows = Message.objects.filter(table=row).exclude(author__in=kept).select_related("author")
    return list(rows.order_by("-pk")[:most])[::-1]


def find_message(row: Table, number: int) -> Message | None:
    """A message at a table, by its number."""
    return Message.objects.filter(table=row, pk=number).select_related("author").first()


def is_off(guest: Guest) -> bool:
    """Whether somebody wants no messages."""
    return any(choice.is_off for choice in _CHOICE.rows(guest.pk))


def next_key(row: Table, guest: Guest) -> str:
    """The key under which somebody's next message at a table is sent: their pages agree on it."""
    last = (
        Message.objects.filter(table=row, author=guest).order_by("-pk").values_list("pk", flat=True).first()
    )
    return str(last or 0)
