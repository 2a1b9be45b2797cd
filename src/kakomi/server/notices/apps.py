"""The Django app for notices."""

from typing import ClassVar

from django.apps import AppConfig


class Notices(AppConfig):
    """Notices about games, and their delivery by page, mail and push."""

    name = "kakomi.server.notices"
    label = "notices"
    periodic_jobs: ClassVar[dict[str, float]] = {
        "kakomi.server.notices.jobs.send_mail": 10.0,
        "kakomi.server.notices.jobs.create_push_deliveries": 5.0,
        "kakomi.server.notices.jobs.send_push": 5.0,
        "kakomi.server.notices.jobs.write_digests": 30.0,
        "kakomi.server.notices.jobs.delete_old": 6 * 3600.0,
        "kakomi.server.notices.vacations.tell_vacations": 5.0,
    }

    def ready(self) -> None:
        """Connect the receivers of signals from tables and accounts."""
        from django.contrib.auth.signals import user_logged_in

        from kakomi.server.accounts.signals import browser_changing_guest, guests_joined, signed_out
        from kakomi.server.notices import receivers
        from kakomi.server.notices.receivers import take_over_notices
        from kakomi.server.tables.extensions import (
            entries_added,
            seat_declined,
            seat_taken,
            table_opened,
            time_running_out,
        )

        table_opened.connect(receivers.on_table_opened)
        seat_taken.connect(receivers.on_seat_taken)
        seat_declined.connect(receivers.on_seat_declined)
        entries_added.connect(receivers.on_entries_added)
        time_running_out.connect(receivers.on_time_running_out)
        user_logged_in.connect(receivers.on_sign_in)
        guests_joined.connect(take_over_notices)
        browser_changing_guest.connect(receivers.on_browser_changing_guest)
        signed_out.connect(receivers.on_sign_out)
