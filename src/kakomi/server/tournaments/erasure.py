"""What tournaments do when a person is erased: results stay, and texts no longer name them.

Whoever takes part leaves by the job of `jobs.py`; a tournament goes on without its organiser.
"""

from collections.abc import Collection

from kakomi.server.accounts.models import Guest
from kakomi.server.ratings.models import Correction
from kakomi.server.tournaments.models import Entrant, LogEntry, Tournament

UNNAMED = "Tournament"
"""What a tournament is called whose name was its organiser's, too."""


def forget_names(guest: Guest, names: Collection[str], **_named: object) -> None:
    """Take somebody's names out of what they and others wrote about their tournaments."""
    known = [name.casefold() for name in names]
    for row in Tournament.objects.filter(organiser=guest):
        if any(name in row.name.casefold() for name in known):
            Tournament.objects.filter(pk=row.pk).update(name=UNNAMED)
    took_part = Entrant.objects.filter(guest=guest).values("tournament")
    reasons = LogEntry.objects.filter(tournament__in=took_part) | LogEntry.objects.filter(by=guest)
    for entry in reasons.exclude(reason=""):
        if any(name in entry.reason.casefold() for name in known):
            LogEntry.objects.filter(pk=entry.pk).update(reason="…")
    for correction in Correction.objects.filter(
        result__table__tournament_game__round__tournament__in=took_part
    ):
        if any(name in correction.reason.casefold() for name in known):
            Correction.objects.filter(pk=correction.pk).update(reason="…")
