"""Queries for guests: who has to do with whom."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from kakomi.server.accounts.models import Block, Guest
from kakomi.server.prefixes import fold


def find_guest(handle: str) -> Guest | None:
    """Whoever has a handle, however it is capitalized; None if nobody has. No database takes a NUL."""
    if "\0" in handle:
        return None
    return Guest.objects.filter(handle__isnull=False, handle_folded=fold(handle)).first()


def are_blocked(one: Guest, other: Guest) -> bool:
    """Whether one of two guests has blocked the other, whichever it is."""
    between = Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one)
    return Block.objects.filter(between).exists()


def blocked_by_or_blocking(guest: Guest) -> set[int]:
    """The numbers of all guests whom a guest has blocked, or who have blocked them."""
    found = Block.objects.filter(Q(blocker=guest) | Q(blocked=guest)).values_list("blocker", "blocked")
    return {number for pair in found for number in pair} - {guest.pk}


def is_kept_from(guest: Guest, others: Iterable[int | None]) -> bool:
    """Whether a guest and one of several others, by number, have to do nothing with each other."""
    numbers = {number for number in others if number is not None} - {guest.pk}
    return bool(numbers) and not numbers.isdisjoint(blocked_by_or_blocking(guest))


def blocked_guests(guest: Guest) -> "QuerySet[Guest]":
    """Whom a guest has blocked, the last one first."""
    return Guest.objects.filter(blocks_against__blocker=guest).order_by("-blocks_against__pk")


def has_blocked(guest: Guest | None, other: Guest) -> bool:
    """Whether a guest, if there is one, has blocked another."""
    return guest is not None and Block.objects.filter(blocker=guest, blocked=other).exists()
