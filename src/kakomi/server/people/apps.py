"""The Django app for pages about people."""

from typing import ClassVar

from django.apps import AppConfig


class People(AppConfig):
    """Features that combine a person's data from all apps: their page, their archive and their erasure."""

    name = "kakomi.server.people"
    label = "people"
    periodic_jobs: ClassVar = {"kakomi.server.tables.receivers.leave_tables": 60.0}
