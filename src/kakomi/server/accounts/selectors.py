"""Queries for guests: their relations to each other, and the rows that belong to them in any app.

Rows are found by the models themselves: whatever points to a guest or to their user belongs to them. So what
an app adds tomorrow is in the archive, and goes with the person, unless it is named here.
"""

import html
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.db.models import ForeignKey, Model, OneToOneField, Q, QuerySet

from kakomi.server.accounts.models import Block, Guest, User
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


KEPT = {
    "tables.seat",
    "ratings.entrant",
    "ratings.currentrating",
    "ratings.ruling",
    "moderation.auditentry",
    "chat.message",
    "tournaments.tournament",
    "tournaments.entrant",
    "tournaments.logentry",
}
"""Models whose rows stay when a person is erased, without a name: games, and what others have of them."""

OF_OTHERS = {
    ("guests.block", "blocked"),
    ("moderation.case", "about"),
    ("moderation.auditentry", "by"),
    ("moderation.auditentry", "about"),
    ("moderation.erasurerequest", "asked_by"),
    ("moderation.erasurerequest", "about"),
    ("notices.notice", "about"),
}
"""Pointers to a person that are somebody else's: who has blocked them, what staff see, what others hear."""


def models_of_people() -> Iterator[tuple[type[Model], list[str]]]:
    """Every model that points to guests or users, with the names of the fields that do."""
    for model in apps.get_models():
        names = [
            field.name
            for field in model._meta.concrete_fields
            if isinstance(field, ForeignKey | OneToOneField) and field.related_model in (Guest, User)
        ]
        if names and model is not User:
            yield model, names


def own_fields(model: type[Model], names: list[str]) -> list[str]:
    """Those of a model's pointers that a person may see."""
    return [name for name in names if (model._meta.label_lower, name) not in OF_OTHERS]


def rows_of(guest: Guest, model: type[Model], names: list[str]) -> "QuerySet[Any]":
    """The rows of a model that point to a guest or to their user."""
    points = Q(pk__in=())
    for name in names:
        related = model._meta.get_field(name).related_model
        points |= Q(**{name: guest}) if related is Guest else Q(**{f"{name}__guest": guest})
    return model._default_manager.filter(points).order_by("pk")


def has_belongings(guest: Guest) -> bool:
    """Whether a guest without a user has anything, in whichever app. Who has blocked them is not theirs."""
    for model, names in models_of_people():
        own = [
            name for name in own_fields(model, names) if model._meta.get_field(name).related_model is Guest
        ]
        if own and rows_of(guest, model, own).exists():
            return True
    return False


def pattern_of(names: Iterable[str]) -> "re.Pattern[str] | None":
    """What finds any of some names as a whole word, on one line or two, in HTML and in addresses too; None if
    there are none."""
    known = {form for name in names if name.strip() for form in (name, name.casefold())}
    spelled = {form for name in known for form in (name, html.escape(name), quote(name))}
    if not spelled:
        return None
    longest_first = sorted(spelled, key=lambda name: (-len(name), name))
    words = (r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
