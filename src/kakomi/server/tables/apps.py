"""Django's entry for tables."""

from django.apps import AppConfig


class Tables(AppConfig):
    """Matches being played, and their logs."""

    name = "kakomi.server.tables"
    label = "tables"
