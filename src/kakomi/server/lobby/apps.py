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
    }
