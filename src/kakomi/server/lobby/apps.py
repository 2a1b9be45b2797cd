"""Django's entry for the lobby."""

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
        "kakomi.server.lobby.notices.tell_new_seeks": 600.0,
    }

    def ready(self) -> None:
        """Hear of guests who turn out to be users."""
        from kakomi.server.accounts.signals import guests_joined, guests_joining
        from kakomi.server.lobby.joined_guests import people_beside, take_over_seeks

        guests_joining.connect(people_beside)
        guests_joined.connect(take_over_seeks)
