"""Django's entry for schedules."""

from django.apps import AppConfig

from kakomi.server.schedules import ANNOUNCE


class Schedules(AppConfig):
    """Tournaments that come again by a rule."""

    name = "kakomi.server.schedules"
    label = "schedules"
    periodic_jobs = {ANNOUNCE: 60.0}  # noqa: RUF012 - Django's configurations are made once
