"""Erasing a person from tournaments: results stay, and texts no longer name them.

A job in `jobs.py` withdraws an erased entrant; a tournament goes on without its organiser.
"""

from collections.abc import Collection

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.tournaments.models import LogEntry, Tournament

UNNAMED = "Tournament"
"""The new name of a tournament whose name contained its organiser's."""


def forget_names(guest: Guest, names: Collection[str], **_named: object) -> None:
    """Remove a person's names from tournament names, descriptions and reasons."""
    named = pattern_of(names)
    if named is None:
        return
    for row in Tournament.objects.filter(organiser=guest):
        if any(name.casefold() in row.name.casefold() for name in names):
            Tournament.objects.filter(pk=row.pk).update(name=UNNAMED)
    for number, description in list(
        Tournament.objects.exclude(description="").values_list("pk", "description")
    ):
        if named.search(description):
            Tournament.objects.filter(pk=number).update(description="…")
    for number, reason in list(LogEntry.objects.exclude(reason="").values_list("pk", "reason")):
        if named.search(reason):
            LogEntry.objects.filter(pk=number).update(reason="…")
