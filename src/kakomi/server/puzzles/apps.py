"""Django's entry for puzzles."""

from django.apps import AppConfig


class Puzzles(AppConfig):
    """Puzzles of the day, and what people answered."""

    name = "kakomi.server.puzzles"
    label = "puzzles"

    def ready(self) -> None:
        """Hear of guests who become somebody."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.puzzles.services import take_over_attempts

        guests_joined.connect(take_over_attempts)
