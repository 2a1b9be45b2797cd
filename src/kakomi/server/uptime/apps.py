"""Django's entry for the site's uptime."""

from django.apps import AppConfig


class Uptime(AppConfig):
    """The site's heartbeat, and the outages that it shows."""

    name = "kakomi.server.uptime"
    label = "uptime"
