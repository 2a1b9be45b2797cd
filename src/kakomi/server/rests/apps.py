"""Django's entry for rests."""

from django.apps import AppConfig


class Rests(AppConfig):
    """When people rest from games over days."""

    name = "kakomi.server.rests"
    label = "rests"
