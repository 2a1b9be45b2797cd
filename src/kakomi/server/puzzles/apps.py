"""The Django app for puzzles."""

from django.apps import AppConfig


class Puzzles(AppConfig):
    """Puzzles of the day, and people's attempts."""

    name = "kakomi.server.puzzles"
    label = "puzzles"

    def ready(self) -> None:
        """Transfer a guest's attempts when the guest signs in."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.puzzles.services import take_over_attempts

        guests_joined.connect(take_over_attempts)
