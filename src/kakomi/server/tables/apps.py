"""The Django app of tables."""

from typing import ClassVar

from django.apps import AppConfig


class Tables(AppConfig):
    """Matches being played, and their logs."""

    name = "kakomi.server.tables"
    label = "tables"
    periodic_jobs: ClassVar = {
        "kakomi.server.tables.jobs.settle_due": 0.25,
        "kakomi.server.tables.jobs.warn_of_time": 5.0,
        "kakomi.server.tables.jobs.enter_time_off": 2.0,
    }

    def ready(self) -> None:
        """Connect the receiver for guests who sign in."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.tables.receivers import take_over_seats

        guests_joined.connect(take_over_seats)
