"""Django's entry for OAuth."""

from typing import ClassVar

from django.apps import AppConfig


class OAuth(AppConfig):
    """Programs of others, and what people let them do."""

    name = "kakomi.server.oauth"
    label = "oauth"
    periodic_jobs: ClassVar = {"kakomi.server.oauth.services.drop_expired": 3600.0}

    def ready(self) -> None:
        """Have tokens end with what they were given for."""
        from django.db.models.signals import post_delete

        from kakomi.server.oauth.models import Grant
        from kakomi.server.oauth.services import end_tokens

        post_delete.connect(end_tokens, sender=Grant)
