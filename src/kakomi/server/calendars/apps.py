"""Django's entry for calendars."""

from django.apps import AppConfig


class Calendars(AppConfig):
    """Feeds for calendar programs."""

    name = "kakomi.server.calendars"
    label = "calendars"

    def ready(self) -> None:
        """Hear of guests who turn out to be users."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.calendars.services import take_over

        guests_joined.connect(take_over)
