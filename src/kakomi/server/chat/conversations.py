"""Queries for what two people have written to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Case, F, Max, Q, QuerySet, When

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import blocked_guests
from kakomi.server.chat.models import DirectMessage

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
