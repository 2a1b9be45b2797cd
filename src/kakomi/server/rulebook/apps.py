"""Django's entry for the rules and their courses."""

from django.apps import AppConfig


class Rulebook(AppConfig):
    """The rules of the games, and what guests have done of their courses."""

    name = "kakomi.server.rulebook"
    label = "rulebook"

    def ready(self) -> None:
        """Hear of browsers that change their guest."""
        from kakomi.server.accounts.signals import guest_replaced, guests_joined
        from kakomi.server.rulebook.services import take_lessons_along

        guest_replaced.connect(take_lessons_along)
        guests_joined.connect(take_lessons_along)
