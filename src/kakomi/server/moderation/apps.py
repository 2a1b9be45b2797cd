"""Django's entry for moderation."""

from django.apps import AppConfig


class Moderation(AppConfig):
    """Reports, cases, measures and the log of staff."""

    name = "kakomi.server.moderation"
    label = "moderation"

    def ready(self) -> None:
        """Hear of tables and people, and stand beside boards."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.moderation import receivers
        from kakomi.server.moderation.presenters import report_panel
        from kakomi.server.moderation.receivers import take_over_standing
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import PANELS, seat_taken, table_opened

        table_opened.connect(receivers.hear_of_opening)
        seat_taken.connect(receivers.hear_of_sitter)
        guests_joined.connect(take_over_standing)
        guest_erased.connect(receivers.hear_of_erasure)
        PANELS.append(report_panel)
