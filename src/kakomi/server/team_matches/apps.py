"""Django's entry for team matches."""

from typing import ClassVar

from django.apps import AppConfig

from kakomi.server.team_matches import GO_ON


class TeamMatches(AppConfig):
    """Matches between two teams."""

    name = "kakomi.server.team_matches"
    label = "team_matches"
    periodic_jobs: ClassVar = {GO_ON: 5.0}

    def ready(self) -> None:
        """Hear of the ends of games."""
        from kakomi.server.tables.signals import entries_added
        from kakomi.server.team_matches.results import hear_of_entries

        entries_added.connect(hear_of_entries)
