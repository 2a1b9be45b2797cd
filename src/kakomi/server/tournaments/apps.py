"""Django's entry for tournaments."""

from typing import ClassVar

from django.apps import AppConfig

from kakomi.server.tournaments import GO_ON, LET_GO, OPEN_NEXT


class Tournaments(AppConfig):
    """Tournaments that anybody starts."""

    name = "kakomi.server.tournaments"
    label = "tournaments"
    periodic_jobs: ClassVar = {
        GO_ON: 2.0,
        LET_GO: 5.0,
        "kakomi.server.tournaments.jobs.end_late_rounds": 15.0,
        OPEN_NEXT: 60.0,
    }

    def ready(self) -> None:
        """Hear of the ends of games, and of those who are erased."""
        from kakomi.server.people.profile import PARTICIPATIONS
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import OCCASIONS, entries_added
        from kakomi.server.tournaments.erasure import forget_names
        from kakomi.server.tournaments.presenters import participations_of
        from kakomi.server.tournaments.rounds import hear_of_entries
        from kakomi.server.tournaments.selectors import occasion_of

        OCCASIONS.append(occasion_of)

        entries_added.connect(hear_of_entries)
        guest_erased.connect(forget_names)
        PARTICIPATIONS.append(participations_of)
