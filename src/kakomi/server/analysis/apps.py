"""Django's entry for analysis boards."""

from django.apps import AppConfig


class Analysis(AppConfig):
    """Studies: games with variations, comments and win chances."""

    name = "kakomi.server.analysis"
    label = "analysis"
