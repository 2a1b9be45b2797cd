"""The Django app for moderation."""

from django.apps import AppConfig


class Moderation(AppConfig):
    """Reports, cases, measures and the audit log."""

    name = "kakomi.server.moderation"
    label = "moderation"

    def ready(self) -> None:
        """Connect to the signals of tables and people, and register the table panel."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.moderation import receivers
        from kakomi.server.moderation.presenters import report_panel
        from kakomi.server.moderation.receivers import take_over_standing
        from kakomi.server.people.signals import guest_erased
        from kakomi.server.tables.extensions import MENU, seat_taken, table_opened

        table_opened.connect(receivers.on_table_opened)
        seat_taken.connect(receivers.on_seat_taken)
        guests_joined.connect(take_over_standing)
        guest_erased.connect(receivers.on_guest_erased)
        MENU.append(report_panel)
