"""The Django app for the search for games."""

from typing import ClassVar

from django.apps import AppConfig


class Explorer(AppConfig):
    """The search for games, with an index of openings."""

    name = "kakomi.server.explorer"
    label = "explorer"
    periodic_jobs: ClassVar[dict[str, float]] = {"kakomi.server.explorer.jobs.index_games": 10.0}

    def ready(self) -> None:
        """Connect to the signal for added entries, and register the lookup by prefix."""
        from django.db.models import CharField

        from kakomi.server.explorer.receivers import on_entries_added
        from kakomi.server.site.database import Prefix
        from kakomi.server.tables.extensions import entries_added

        entries_added.connect(on_entries_added)
        CharField.register_lookup(Prefix)
