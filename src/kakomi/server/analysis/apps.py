"""The Django app for studies."""

from django.apps import AppConfig


class Analysis(AppConfig):
    """Studies: games with variations, comments and win chances."""

    name = "kakomi.server.analysis"
    label = "analysis"

    def ready(self) -> None:
        """Transfer a guest's studies when the guest signs in."""
        from kakomi.server.accounts.signals import guests_joined
        from kakomi.server.analysis.services import take_over_studies

        guests_joined.connect(take_over_studies)
