"""What tournaments do when a person is erased: results stay, and texts no longer name them.

Whoever takes part leaves by the job of `jobs.py`; a tournament goes on without its organiser.
"""

from collections.abc import Collection

from kakomi.server.accounts.models import Guest
from kakomi.server.accounts.selectors import pattern_of
from kakomi.server.tournaments.models import LogEntry, Tournament

UNNAMED = "Tournament"
"""What a tournament is called whose name was its organiser's, too."""


def forget_names(guest: Guest, names: Collection[str], **_named: object) -> None:
    """Take somebody's names out of what they and others wrote about tournaments."""
    named = pattern_of(names)
    if named is None:
        return
    for row in Tournament.objects.filter(organiser=guest):
        if any(name.casefold() in row.name.casefold() for name in names):
            Tournament.objects.filter(pk=row.pk).update(name=UNNAMED)
    for number, said in list(Tournament.objects.exclude(description="").values_list("pk", "description")):
        if named.search(said):
            Tournament.objects.filter(pk=number).update(description="…")
    for number, reason in list(LogEntry.objects.exclude(reason="").values_list("pk", "reason")):
        if named.search(reason):
            LogEntry.objects.filter(pk=number).update(reason="…")
