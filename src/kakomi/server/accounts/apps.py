"""Django's entry for guests."""

from django.apps import AppConfig


class Guests(AppConfig):
    """People without an account."""

    name = "kakomi.server.accounts"
    label = "guests"
