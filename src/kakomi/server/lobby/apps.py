"""The Django app for the lobby."""

from typing import ClassVar

from django.apps import AppConfig


class Lobby(AppConfig):
    """Seeks, challenges and automatic pairing."""

    name = "kakomi.server.lobby"
    label = "lobby"
    periodic_jobs: ClassVar = {
        "kakomi.server.lobby.jobs.note_presence": 5.0,
        "kakomi.server.lobby.jobs.end_stale": 5.0,
        "kakomi.server.lobby.jobs.pair_waiting": 2.0,
        "kakomi.server.lobby.jobs.begin_gathered": 1.0,
        "kakomi.server.lobby.notices.notify_new_seeks": 600.0,
    }

    def ready(self) -> None:
        """Connect to the signals for guests who turn out to be users."""
        from kakomi.server.accounts.signals import guests_joined, guests_joining
        from kakomi.server.lobby.joined_guests import guests_sharing_seeks, take_over_seeks

        guests_joining.connect(guests_sharing_seeks)
        guests_joined.connect(take_over_seeks)
