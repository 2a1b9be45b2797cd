"""What two people write to each other: written within limits, read, and queried."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Case, F, Max, Q, QuerySet, When

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_guests, has_blocked
from kakomi.server.accounts.services import lock
from kakomi.server.chat.models import LONGEST_DIRECT, DirectMessage
from kakomi.server.chat.notices import forget_told, tell_message
from kakomi.server.chat.selectors import is_off
from kakomi.server.chat.services import on_lines, why_not_written
from kakomi.server.database import digest_of, writing
from kakomi.session import Refused
from kakomi.session.time_control import DAY

PER_MINUTE = 10
"""Messages that somebody may write to people within a minute."""
PER_DAY = 200
UNANSWERED = 5
"""Messages to somebody who has never answered."""
STRANGERS = 10
"""People who have never answered to whom somebody may write within a day."""


def send(author: Guest, reader: Guest, text: str, key: str) -> DirectMessage:
    """Keep a message to somebody and tell them; sent twice, it is the first one. Raises Refused.

    A reader who has blocked the author never sees it, and the author isn't told.
    """
    text = on_lines(text)
    with writing():
        lock([author.pk, reader.pk])
        named = _key(author, reader, text, key)
        if known := DirectMessage.objects.filter(key=named).first():
            return known
        if wrong := why_not(author, reader, text):
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
            tell_message(made)
    return made


def note_read(reader: Guest, author: Guest) -> None:
    """Note that somebody has read what another person wrote to them."""
    unread = unread_by(reader).filter(author=author)
    if unread.exists():
        with writing():
            unread.update(read_at=clock.now())
            forget_told(reader, author)


def why_not(author: Guest, reader: Guest, text: str) -> str:
    """Why somebody can't send this to somebody else, and what would be right; empty if they can."""
    return (
        why_not_between(author, reader)
        or why_not_written(author, text, LONGEST_DIRECT)
        or _why_too_much(author, reader)
    )


def why_not_between(author: Guest, reader: Guest) -> str:
    """Why somebody can't write to somebody else at all; empty if they can."""
    if author.handle is None or author.is_bot:
        return lazy_message("To write to people takes an account: sign up first.")
    if reader.pk == author.pk:
        return lazy_message("This is yourself: a note of your own does better.")
    if reader.handle is None or reader.is_bot or reader.is_erased:
        return lazy_message("Messages go to people with an account; bots read none.")
    if has_blocked(author, reader):
        return lazy_message("You have blocked this person: unblock them first.")
    if is_off(author):
        return lazy_message("You have switched messages off: switch them on first.")
    if is_off(reader):
        return lazy_message("{name} takes no messages.", name=reader.called)
    return ""


def _why_too_much(author: Guest, reader: Guest) -> str:
    now, written = clock.now(), DirectMessage.objects.filter(author=author)
    if written.filter(at__gt=now - 60).count() >= PER_MINUTE:
        return lazy_message("You write very much: wait a minute.")
    if written.filter(at__gt=now - DAY).count() >= PER_DAY:
        return lazy_message("You have written {most} messages within a day: wait a while.", most=PER_DAY)
    if DirectMessage.objects.filter(author=reader, reader=author).exists():
        return ""
    if written.filter(reader=reader).count() >= UNANSWERED:
        return lazy_message("You have written {most} messages: wait for an answer.", most=UNANSWERED)
    answerers = DirectMessage.objects.filter(reader=author).values("author")
    silent = written.filter(at__gt=now - DAY).exclude(reader__in=answerers).exclude(reader=reader)
    if silent.values("reader").distinct().count() >= STRANGERS:
        return lazy_message("You have written to many people who have not answered yet: wait for them.")
    return ""


def _key(author: Guest, reader: Guest, text: str, key: str) -> str:
    """Another text under the same key is another message: somebody went back to a form."""
    return f"{author.pk}.{reader.pk}.{digest_of(key, text)}"


LISTED = 100
"""Conversations in a list, the last ones."""
SHOWN = 50
"""Messages on a page."""


@dataclass(frozen=True)
class Conversation:
    """What somebody and another person have written to each other, in a list."""

    other: Guest
    last: DirectMessage
    is_new: bool
    """Whether the other one has written what isn't read yet."""

    @property
    def is_own(self) -> bool:
        """Whether the last message is one's own."""
        return self.last.reader_id == self.other.pk


class Part(NamedTuple):
    """Some messages of two people, in their order."""

    messages: Sequence[DirectMessage]
    older: int | None
    """The number before which the next part ends; None if there is nothing older."""


def conversations_of(guest: Guest) -> list[Conversation]:
    """The conversations of somebody, the last one first; none with people whom they have blocked."""
    other = Case(When(author=guest, then=F("reader")), default=F("author"))
    found = _seen_by(guest).order_by().values(other=other).annotate(last=Max("pk")).order_by("-last")
    blocked = set(blocked_guests(guest).values_list("pk", flat=True))
    pairs = [(row["other"], row["last"]) for row in found[: LISTED + len(blocked)]]
    pairs = [(number, last) for number, last in pairs if number not in blocked][:LISTED]
    people = Guest.objects.in_bulk([number for number, _ in pairs])
    messages = DirectMessage.objects.in_bulk([last for _, last in pairs])
    fresh = set(unread_by(guest).values_list("author", flat=True))
    return [Conversation(people[number], messages[last], number in fresh) for number, last in pairs]


def messages_between(guest: Guest, other: Guest, before: int | None = None) -> Part:
    """The last messages of two people as one of them sees them, or the last before a number."""
    found = _seen_by(guest).filter(Q(author=other) | Q(reader=other))
    if before is not None:
        found = found.filter(pk__lt=before)
    rows = list(found.order_by("-pk")[: SHOWN + 1])
    return Part(rows[:SHOWN][::-1], rows[SHOWN - 1].pk if len(rows) > SHOWN else None)


def find_received(guest: Guest, author: Guest, number: int) -> DirectMessage | None:
    """A message that somebody was sent by another person, by its number."""
    return _seen_by(guest).filter(author=author, reader=guest, pk=number).first()


def unread_by(guest: Guest) -> "QuerySet[DirectMessage]":
    """What somebody was sent and has not read."""
    return DirectMessage.objects.filter(reader=guest, read_at=None, is_withheld=False)


def _seen_by(guest: Guest) -> "QuerySet[DirectMessage]":
    return DirectMessage.objects.filter(Q(author=guest) | Q(reader=guest, is_withheld=False))
