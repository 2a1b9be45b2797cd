"""The site's heartbeat, and its outages."""

from django.db import models


class Heartbeat(models.Model):
    """One row, which every process brings up to date while the site is up."""

    beat_at = models.FloatField()
    """Seconds since the epoch."""

    def __str__(self) -> str:
        return f"heartbeat at {self.beat_at}"


class Outage(models.Model):
    """A time without a heartbeat: no process served, so nobody could act."""

    start = models.FloatField(unique=True)
    """The last heartbeat before it, in seconds since the epoch."""
    end = models.FloatField(db_index=True)
    """The first one after it."""

    class Meta:
        ordering = ("start",)

    def __str__(self) -> str:
        return f"outage from {self.start} to {self.end}"
