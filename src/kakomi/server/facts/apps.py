"""Django's entry for what is known about games."""

from django.apps import AppConfig


class Facts(AppConfig):
    """What is known about the games."""

    name = "kakomi.server.facts"
    label = "facts"
