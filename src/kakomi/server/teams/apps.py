"""Django's entry for teams."""

from django.apps import AppConfig


class Teams(AppConfig):
    """Teams of people."""

    name = "kakomi.server.teams"
    label = "teams"

    def ready(self) -> None:
        """Hear of those who are erased."""
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.teams.erasure import hear_of_erasure

        guest_erased.connect(hear_of_erasure)
