"""The Django app for tournaments."""

from typing import ClassVar

from django.apps import AppConfig

from kakomi.server.tournaments import ADVANCE, OPEN_NEXT, WITHDRAW


class Tournaments(AppConfig):
    """Tournaments organised by users."""

    name = "kakomi.server.tournaments"
    label = "tournaments"
    periodic_jobs: ClassVar = {
        ADVANCE: 2.0,
        WITHDRAW: 5.0,
        "kakomi.server.tournaments.jobs.end_late_rounds": 15.0,
        OPEN_NEXT: 60.0,
    }

    def ready(self) -> None:
        """Connect to the signals for added entries and erased guests, and register extensions."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.people.profile import PARTICIPATIONS
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import GAME_CONTEXTS, entries_added
        from kakomi.server.tournaments.calendars import take_over_calendar
        from kakomi.server.tournaments.erasure import forget_names
        from kakomi.server.tournaments.presenters import participations_of
        from kakomi.server.tournaments.rounds import on_entries_added
        from kakomi.server.tournaments.selectors import game_context_of

        GAME_CONTEXTS.append(game_context_of)

        entries_added.connect(on_entries_added)
        guest_erased.connect(forget_names)
        PARTICIPATIONS.append(participations_of)
        guests_joined.connect(take_over_calendar)
