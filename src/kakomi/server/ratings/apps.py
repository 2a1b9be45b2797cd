"""Django's entry for ratings."""

from django.apps import AppConfig

from kakomi.server.ratings import RATE_RESULTS


class Ratings(AppConfig):
    """The ledger of rated results, and what follows from it."""

    name = "kakomi.server.ratings"
    label = "ratings"
    periodic_jobs = {RATE_RESULTS: 5.0}  # noqa: RUF012 - Django's configurations are made once

    def ready(self) -> None:
        """Hear of the ends of games."""
        from kakomi.server.ratings import receivers
        from kakomi.server.ratings.presenters import ratings_beside_names
        from kakomi.server.tables.extensions import SEAT_NOTES, entries_added, seat_taken, table_opened

        table_opened.connect(receivers.hear_of_opening)
        seat_taken.connect(receivers.hear_of_sitter)
        entries_added.connect(receivers.hear_of_entries)
        SEAT_NOTES.append(ratings_beside_names)
