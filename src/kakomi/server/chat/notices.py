"""What people are told of messages: of those that one person writes to them, and of those beside a board.

The first are told once, until one has read what there is of somebody; the second to whoever wishes it.
"""

from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat import selectors
from kakomi.server.chat.models import DirectMessage
from kakomi.server.notices.models import Notice
from kakomi.server.notices.preferences import wishers
from kakomi.server.notices.services import notify, read_under
from kakomi.server.tables.models import Table

KIND, TABLE_KIND = "message", "table_message"
PAUSE = 24 * 3600.0
"""Seconds between two notices of what is said at one table, unless the first was read."""


def tell_message(message: DirectMessage) -> None:
    """Somebody hears that another person writes to them."""
    author, data = message.author, {"page": "conversation"}
    notify(message.reader_id, KIND, f"{author.pk}.{message.pk}", data, about=author)


def forget_told(reader: Guest, author: Guest) -> None:
    """Note that somebody has seen what they were told of somebody's messages."""
    read_under(KIND, f"{author.pk}.", reader)


def tell_others(row: Table, author: Guest, number: int) -> None:
    """Tell those at a table who wish it that somebody has written there. In the message's transaction."""
    wishing = wishers(TABLE_KIND).exclude(guest=author).filter(guest__seats__table=row)
    guests = Guest.objects.filter(pk__in=wishing.values("guest"))
    kept = blocked_by_or_blocking(author) if guests else ()
    for guest in guests:
        told = Notice.objects.filter(guest=guest, kind=TABLE_KIND, table=row, read_at=None)
        is_told = told.filter(at__gt=clock.now() - PAUSE).exists()
        if guest.pk not in kept and not selectors.is_off(guest) and not is_told:
            notify(guest, TABLE_KIND, f"{number}", table=row)
