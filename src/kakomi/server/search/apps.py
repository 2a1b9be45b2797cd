"""Django's entry for the search for games."""

from typing import ClassVar

from django.apps import AppConfig


class Search(AppConfig):
    """Finished games by how they began."""

    name = "kakomi.server.search"
    label = "search"
    periodic_jobs: ClassVar[dict[str, float]] = {"kakomi.server.search.jobs.index_games": 10.0}

    def ready(self) -> None:
        """Hear of games that end, and look for names by their beginning."""
        from django.db.models import CharField

        from kakomi.server.prefixes import Prefix
        from kakomi.server.search.receivers import hear_of_entries
        from kakomi.server.tables.extensions import entries_added

        entries_added.connect(hear_of_entries)
        CharField.register_lookup(Prefix)
