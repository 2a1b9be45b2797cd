"""Django's entry for guests."""

from django.apps import AppConfig


class Guests(AppConfig):
    """People without an account."""

    name = "kakomi.server.guests"
    label = "guests"
