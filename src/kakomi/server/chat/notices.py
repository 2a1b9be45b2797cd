"""Notices of direct messages and of table messages.

A direct message is announced once, until the reader has read that author's messages; table messages are
announced only to people who want it.
"""

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_by_or_blocking
from kakomi.server.chat import selectors
from kakomi.server.chat.models import DirectMessage
from kakomi.server.notices.models import Notice
from kakomi.server.notices.preferences import opted_in
from kakomi.server.notices.services import mark_key_read, notify
from kakomi.server.site import clock
from kakomi.server.tables.models import Table

KIND, TABLE_KIND = "message", "table_message"
PAUSE = 24 * 3600.0
"""The minimum number of seconds between notices for one table, unless the first has been read."""


def notify_direct_message(message: DirectMessage) -> None:
    """Notify the reader of a message from another person."""
    author, data = message.author, {"page": "conversation"}
    notify(message.reader_id, KIND, f"{author.pk}.{message.pk}", data, about=author)


def mark_notices_read(reader: Guest, author: Guest) -> None:
    """Mark a reader's notices of an author's messages as read."""
    mark_key_read(KIND, f"{author.pk}.", reader)


def notify_table_message(row: Table, author: Guest, number: int) -> None:
    """Notify the people at a table who want it of a message there. Call inside the message's transaction."""
    wishes = opted_in(TABLE_KIND).exclude(guest=author).filter(guest__seats__table=row)
    guests = Guest.objects.filter(pk__in=wishes.values("guest"))
    blocked = blocked_by_or_blocking(author) if guests else ()
    for guest in guests:
        unread = Notice.objects.filter(guest=guest, kind=TABLE_KIND, table=row, read_at=None)
        is_notified = unread.filter(at__gt=clock.now() - PAUSE).exists()
        if guest.pk not in blocked and not selectors.is_off(guest) and not is_notified:
            notify(guest, TABLE_KIND, f"{number}", table=row)
