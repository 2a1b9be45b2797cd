"""Django's entry for notices."""

from typing import ClassVar

from django.apps import AppConfig


class Notices(AppConfig):
    """What people are told of their games, and the ways by which it reaches them."""

    name = "kakomi.server.notices"
    label = "notices"
    periodic_jobs: ClassVar[dict[str, float]] = {
        "kakomi.server.notices.jobs.send_mail": 10.0,
        "kakomi.server.notices.jobs.hand_on": 5.0,
        "kakomi.server.notices.jobs.send_push": 5.0,
        "kakomi.server.notices.jobs.write_digests": 30.0,
        "kakomi.server.notices.jobs.forget": 6 * 3600.0,
        "kakomi.server.notices.vacations.tell_vacations": 5.0,
    }

    def ready(self) -> None:
        """Hear of what happens at tables."""
        from django.contrib.auth.signals import user_logged_in

        from kakomi.server.accounts.signals import browser_changes_hands, guests_joined, signed_out
        from kakomi.server.notices import receivers
        from kakomi.server.notices.receivers import take_over_notices
        from kakomi.server.tables.extensions import (
            entries_added,
            seat_declined,
            seat_taken,
            table_opened,
            time_running_out,
        )

        table_opened.connect(receivers.hear_of_opening)
        seat_taken.connect(receivers.hear_of_sitter)
        seat_declined.connect(receivers.hear_of_decline)
        entries_added.connect(receivers.hear_of_entries)
        time_running_out.connect(receivers.hear_of_time)
        user_logged_in.connect(receivers.hear_of_signing_in)
        guests_joined.connect(take_over_notices)
        browser_changes_hands.connect(receivers.hear_of_other_hands)
        signed_out.connect(receivers.hear_of_signing_out)
