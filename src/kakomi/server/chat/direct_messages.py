"""Direct messages: sending within limits, marking as read, and queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Case, F, Max, Q, QuerySet, When

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_guests, has_blocked
from kakomi.server.accounts.services import lock_people
from kakomi.server.chat.models import LONGEST_DIRECT, DirectMessage
from kakomi.server.chat.notices import mark_notices_read, notify_direct_message
from kakomi.server.chat.selectors import is_off
from kakomi.server.chat.services import on_lines, why_not_written
from kakomi.server.site import clock
from kakomi.server.site.database import digest_of, writing
from kakomi.session import Refused
from kakomi.session.time_control import DAY

PER_MINUTE = 10
"""The maximum number of direct messages per author in a minute; `PER_DAY` is that in a day."""
PER_DAY = 200
UNANSWERED = 5
"""The maximum number of messages to a reader who has never answered."""
STRANGERS = 10
"""The maximum number of people an author may write to in a day who have never answered."""


def send_message(author: Guest, reader: Guest, text: str, key: str) -> DirectMessage:
    """Send a message and notify its reader. A repeated message returns the first one. Raises Refused.

    A reader who has blocked the author never sees it, and the author isn't told.
    """
    text = on_lines(text)
    with writing():
        lock_people([author.pk, reader.pk])
        named = _key(author, reader, text, key)
        if known := DirectMessage.objects.filter(key=named).first():
            return known
        if wrong := why_not_send(author, reader, text):
            raise Refused(wrong)
        is_first = not unread_by(reader).filter(author=author).exists()
        made = DirectMessage.objects.create(
            author=author,
            reader=reader,
            text=text,
            at=clock.now(),
            is_withheld=has_blocked(reader, author),
            key=named,
        )
        if is_first and not made.is_withheld:
            notify_direct_message(made)
    return made


def mark_read(reader: Guest, author: Guest) -> None:
    """Mark an author's messages to a reader as read."""
    unread = unread_by(reader).filter(author=author)
    if unread.exists():
        with writing():
            unread.update(read_at=clock.now())
            mark_notices_read(reader, author)


def why_not_send(author: Guest, reader: Guest, text: str) -> str:
    """Why an author can't send this text to a reader, and what would help; empty if they can."""
    return (
        why_not_write_to(author, reader)
        or why_not_written(author, text, LONGEST_DIRECT)
        or _why_too_much(author, reader)
    )


def why_not_write_to(author: Guest, reader: Guest) -> str:
    """Why an author can't write to a reader, whatever the text; empty if they can."""
    if author.handle is None or author.is_bot:
        return lazy_message("Sign up to send messages.")
    if reader.pk == author.pk:
        return lazy_message("You can’t message yourself.")
    if reader.handle is None or reader.is_bot or reader.is_erased:
        return lazy_message("You can’t message guests or bots.")
    if has_blocked(author, reader):
        return lazy_message("You’ve blocked this player. Unblock them first.")
    if is_off(author):
        return lazy_message("You’ve turned messages off. Turn them on first.")
    if is_off(reader):
        return lazy_message("{name} doesn’t accept messages.", name=reader.display_name)
    return ""


def _why_too_much(author: Guest, reader: Guest) -> str:
    now, written = clock.now(), DirectMessage.objects.filter(author=author)
    if written.filter(at__gt=now - 60).count() >= PER_MINUTE:
        return lazy_message("You’re sending messages too fast. Wait a minute.")
    if written.filter(at__gt=now - DAY).count() >= PER_DAY:
        return lazy_message("You’ve sent {most} messages today. Try again later.", most=PER_DAY)
    if DirectMessage.objects.filter(author=reader, reader=author).exists():
        return ""
    if written.filter(reader=reader).count() >= UNANSWERED:
        return lazy_message("You’ve sent {most} messages. Wait for a reply.", most=UNANSWERED)
    answerers = DirectMessage.objects.filter(reader=author).values("author")
    silent = written.filter(at__gt=now - DAY).exclude(reader__in=answerers).exclude(reader=reader)
    if silent.values("reader").distinct().count() >= STRANGERS:
        return lazy_message("You’ve messaged many players who haven’t replied yet. Wait for a reply.")
    return ""


def _key(author: Guest, reader: Guest, text: str, key: str) -> str:
    """The stored key, which includes the text, as people go back to a form to send another message."""
    return f"{author.pk}.{reader.pk}.{digest_of(key, text)}"


LISTED = 100
"""The maximum number of conversations listed; the latest are shown."""
SHOWN = 50
"""Messages per page."""


@dataclass(frozen=True)
class Conversation:
    """A conversation in a list."""

    other: Guest
    last: DirectMessage
    is_new: bool
    """Whether it has unread messages from the other person."""

    @property
    def is_own(self) -> bool:
        """Whether the last message is the viewer's own."""
        return self.last.reader_id == self.other.pk


class ConversationPart(NamedTuple):
    """Consecutive messages of a conversation, the oldest first."""

    messages: Sequence[DirectMessage]
    older: int | None
    """The `before` of the preceding part; None if there is nothing older."""


def conversations_of(guest: Guest) -> list[Conversation]:
    """A guest's conversations, the latest first, without those with people they have blocked."""
    other = Case(When(author=guest, then=F("reader")), default=F("author"))
    found = _seen_by(guest).order_by().values(other=other).annotate(last=Max("pk")).order_by("-last")
    blocked = set(blocked_guests(guest).values_list("pk", flat=True))
    pairs = [(row["other"], row["last"]) for row in found[: LISTED + len(blocked)]]
    pairs = [(number, last) for number, last in pairs if number not in blocked][:LISTED]
    people = Guest.objects.in_bulk([number for number, _ in pairs])
    messages = DirectMessage.objects.in_bulk([last for _, last in pairs])
    fresh = set(unread_by(guest).values_list("author", flat=True))
    return [Conversation(people[number], messages[last], number in fresh) for number, last in pairs]


def messages_between(guest: Guest, other: Guest, before: int | None = None) -> ConversationPart:
    """The latest messages of a conversation, or the latest before a number, as visible to `guest`."""
    found = _seen_by(guest).filter(Q(author=other) | Q(reader=other))
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: SHOWN + 1])
    return ConversationPart(rows[:SHOWN][::-1], rows[SHOWN - 1].pk if len(rows) > SHOWN else None)


def find_received(guest: Guest, author: Guest, number: int) -> DirectMessage | None:
    """A message that a guest received from an author, by its number; None if there is none."""
    return _seen_by(guest).filter(author=author, reader=guest, pk=number).first()


def unread_by(guest: Guest) -> "QuerySet[DirectMessage]":
    """The unread messages of a guest."""
    return DirectMessage.objects.filter(reader=guest, read_at=None, is_withheld=False)


def _seen_by(guest: Guest) -> "QuerySet[DirectMessage]":
    return DirectMessage.objects.filter(Q(author=guest) | Q(reader=guest, is_withheld=False))
