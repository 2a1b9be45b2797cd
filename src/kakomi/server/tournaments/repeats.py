"""Tournaments of the site itself: each is agreed as an earlier one was, and organised by nobody."""

import secrets

from kakomi.server import clock
from kakomi.server.tournaments.models import KEY_LENGTH, Tournament
from kakomi.server.tournaments.services import SEEDS

OF_ONE = frozenset(
    {
        "id",
        "code",
        "key",
        "name",
        "organiser",
        "seed",
        "state",
        "version",
        "is_closed",
        "created_at",
        "begins_at",
        "due_at",
        "ended_at",
        "news",
    }
)
"""Fields that say what became of one tournament; all others say what was agreed."""


def repeat(pattern: Tournament, name: str, begins_at: float, key: str) -> Tournament:
    """Another tournament like one, announced by the site."""
    agreed = {field.name for field in Tournament._meta.concrete_fields} - OF_ONE
    return Tournament.objects.create(
        **{field: getattr(pattern, field) for field in agreed},
        organiser=None,
        key=key[:KEY_LENGTH],
        name=name,
        seed=secrets.randbelow(SEEDS),
        created_at=clock.now(),
        begins_at=begins_at,
        due_at=begins_at,
    )
