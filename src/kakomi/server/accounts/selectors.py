"""Queries for guests: their relations to each other, and the rows that belong to them in any app.

Rows are found by introspection: every row with a foreign key to a guest or their user belongs to them. So
rows of new models are archived and erased by default, unless the models are listed here.
"""

import html
import re
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.db.models import ForeignKey, Model, OneToOneField, Q, QuerySet
from django.utils import timezone

from kakomi.server.accounts.models import Block, Guest, User
from kakomi.server.site.database import fold

ONLINE = timedelta(minutes=5)
"""How long somebody counts as online after a page of theirs was seen open; idle pages report less often."""
COUNTED_EVERY = 10.0
"""How many seconds a process remembers the number of people online."""


def people_online() -> int:
    """The number of people with a page open, with or without an account."""
    return _people_online(time.monotonic() // COUNTED_EVERY)


@lru_cache(maxsize=1)
def _people_online(_: float) -> int:
    return Guest.objects.filter(seen_at__gt=timezone.now() - ONLINE, is_bot=False).count()


def find_guest(handle: str) -> Guest | None:
    """The guest with a handle in any capitalization, or None. Databases don't accept NUL in texts."""
    if "\0" in handle:
        return None
    return Guest.objects.filter(handle__isnull=False, handle_folded=fold(handle)).first()


def are_blocked(one: Guest, other: Guest) -> bool:
    """Whether either of two guests has blocked the other."""
    between = Q(blocker=one, blocked=other) | Q(blocker=other, blocked=one)
    return Block.objects.filter(between).exists()


def blocked_by_or_blocking(guest: Guest) -> set[int]:
    """The primary keys of all guests whom a guest has blocked, or who have blocked them."""
    found = Block.objects.filter(Q(blocker=guest) | Q(blocked=guest)).values_list("blocker", "blocked")
    return {number for pair in found for number in pair} - {guest.pk}


def is_kept_from(guest: Guest, others: Iterable[int | None]) -> bool:
    """Whether a guest has blocked, or is blocked by, any of several others, given by primary key."""
    numbers = {number for number in others if number is not None} - {guest.pk}
    return bool(numbers) and not numbers.isdisjoint(blocked_by_or_blocking(guest))


def blocked_guests(guest: Guest) -> "QuerySet[Guest]":
    """The guests whom a guest has blocked, the most recent first."""
    return Guest.objects.filter(blocks_against__blocker=guest).order_by("-blocks_against__pk")


def has_blocked(guest: Guest | None, other: Guest) -> bool:
    """Whether a guest has blocked another; False for None."""
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
"""Models whose rows stay, without a name, when a person is erased, such as games, which others share."""

OF_OTHERS = {
    ("accounts.block", "blocked"),
    ("moderation.case", "about"),
    ("moderation.auditentry", "by"),
    ("moderation.auditentry", "about"),
    ("moderation.erasurerequest", "asked_by"),
    ("moderation.erasurerequest", "about"),
    ("notices.notice", "about"),
}
"""Foreign keys to a person in rows that aren't theirs: blocks by others, staff's records, others' notices."""


def models_of_people() -> Iterator[tuple[type[Model], list[str]]]:
    """Every model with foreign keys to guests or users, and the names of these fields."""
    for model in apps.get_models():
        names = [
            field.name
            for field in model._meta.concrete_fields
            if isinstance(field, ForeignKey | OneToOneField) and field.related_model in (Guest, User)
        ]
        if names and model is not User:
            yield model, names


def own_fields(model: type[Model], names: list[str]) -> list[str]:
    """Those of a model's foreign keys whose rows belong to the person."""
    return [name for name in names if (model._meta.label_lower, name) not in OF_OTHERS]


def rows_of(guest: Guest, model: type[Model], names: list[str]) -> "QuerySet[Any]":
    """The rows of a model that refer to a guest or their user in any of these fields."""
    points = Q(pk__in=())
    for name in names:
        related = model._meta.get_field(name).related_model
        points |= Q(**{name: guest}) if related is Guest else Q(**{f"{name}__guest": guest})
    return model._default_manager.filter(points).order_by("pk")


def has_belongings(guest: Guest) -> bool:
    """Whether a guest without a user has rows in any app. Blocks by others don't count."""
    for model, names in models_of_people():
        own = [
            name for name in own_fields(model, names) if model._meta.get_field(name).related_model is Guest
        ]
        if own and rows_of(guest, model, own).exists():
            return True
    return False


def pattern_of(names: Iterable[str]) -> "re.Pattern[str] | None":
    """A pattern that finds any of some names as whole words, even across lines and escaped in HTML or URLs;
    None if there are none."""
    known = {form for name in names if name.strip() for form in (name, name.casefold())}
    spelled = {form for name in known for form in (name, html.escape(name), quote(name))}
    if not spelled:
        return None
    longest_first = sorted(spelled, key=lambda name: (-len(name), name))
    words = (r"\s+".join(map(re.escape, name.split())) for name in longest_first)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)
