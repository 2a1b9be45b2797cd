"""Django's entry for notes of one's own."""

from django.apps import AppConfig


class Notebook(AppConfig):
    """Notes of one's own on games and people."""

    name = "kakomi.server.notebook"
    label = "notebook"

    def ready(self) -> None:
        """Stand beside boards, and hear of people."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.notebook.panel import note_panel
        from kakomi.server.notebook.services import take_over
        from kakomi.server.tables.extensions import PANELS

        PANELS.append(note_panel)
        guests_joined.connect(take_over)
