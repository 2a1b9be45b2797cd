"""Queries for messages."""

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat.models import ChatChoice, Message
from kakomi.server.tables.models import Table

SHOWN = 50
"""Messages beside the board, the last ones."""
ALL = 500


def messages_at(row: Table, reader: Guest, most: int = SHOWN) -> list[Message]:
    """The last messages at a table that somebody reads: none of people with whom they have nothing to do."""
    kept = blocked_by_or_blocking(reader)
    rows = Message.objects.filter(table=row).exclude(author__in=kept).select_related("author")
    return list(rows.order_by("-pk")[:most])[::-1]


def find_message(row: Table, number: int) -> Message | None:
    """A message at a table, by its number."""
    return Message.objects.filter(table=row, pk=number).select_related("author").first()


def is_off(guest: Guest) -> bool:
    """Whether somebody wants no messages."""
    return ChatChoice.objects.filter(guest=guest, is_off=True).exists()


def next_key(row: Table, guest: Guest) -> str:
    """The key under which somebody's next message at a table is sent: their pages agree on it."""
    last = (
        Message.objects.filter(table=row, author=guest).order_by("-pk").values_list("pk", flat=True).first()
    )
    return str(last or 0)
