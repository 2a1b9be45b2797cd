"""The Django app for ratings."""

from django.apps import AppConfig

from kakomi.server.ratings import RATE_RESULTS


class Ratings(AppConfig):
    """The ledger of rated results, and the ratings computed from it."""

    name = "kakomi.server.ratings"
    label = "ratings"
    periodic_jobs = {RATE_RESULTS: 5.0}  # noqa: RUF012 - Django instantiates each configuration once

    def ready(self) -> None:
        """Connect the receivers of tables' signals, and show ratings beside names."""
        from kakomi.server.ratings import receivers
        from kakomi.server.ratings.presenters import ratings_beside_names
        from kakomi.server.tables.extensions import SEAT_NOTES, entries_added, seat_taken, table_opened

        table_opened.connect(receivers.on_table_opened)
        seat_taken.connect(receivers.on_seat_taken)
        entries_added.connect(receivers.on_entries_added)
        SEAT_NOTES.append(ratings_beside_names)
