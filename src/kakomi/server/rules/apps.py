"""The Django app for the rules and courses."""

from django.apps import AppConfig


class Rules(AppConfig):
    """The rules of the games, and guests' progress in their courses."""

    name = "kakomi.server.rules"
    label = "rules"

    def ready(self) -> None:
        """Connect to the signals for browsers that change their guest."""
        from kakomi.server.accounts.signals import guest_replaced, guests_joined
        from kakomi.server.rules.services import take_over_lessons

        guest_replaced.connect(take_over_lessons)
        guests_joined.connect(take_over_lessons)
