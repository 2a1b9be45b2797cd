"""Django's entry for rests."""

from typing import ClassVar

from django.apps import AppConfig


class Rests(AppConfig):
    """When people rest from games over days."""

    name = "kakomi.server.rests"
    label = "rests"
    periodic_jobs: ClassVar = {"kakomi.server.rests.jobs.tell_vacations": 5.0}
