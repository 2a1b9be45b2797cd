"""A guest's rests."""

from django.db import models

from kakomi.server.accounts.models import Guest


class Rests(models.Model):
    """When a guest rests from games over days, by their time zone.

    Who has no row never does, but may take vacations.
    """

    guest = models.OneToOneField(Guest, models.CASCADE, related_name="rests")
    weekend: "models.JSONField[list[int], list[int]]" = models.JSONField(default=list)
    """The days of the week on which no clock runs, 0 is Monday."""
    sleep_from = models.PositiveSmallIntegerField(null=True)
    """The minute of the day at which their night begins; None: they have none."""
    sleep_to = models.PositiveSmallIntegerField(null=True)
    """The minute at which it ends."""
    is_automatic = models.BooleanField(default=True)
    """Whether a day of vacation is taken by itself when a clock would run out."""
    version = models.PositiveIntegerField(default=1)
    """Grows with every change; a table whose seat knows an older one has to be told."""
    told_version = models.PositiveIntegerField(default=0)
    """The version that all tables have been told of."""
    changed_at = models.FloatField(default=0.0)
    """The moment from which the last change holds, in seconds since the epoch."""

    class Meta:
        indexes = (
            models.Index(
                fields=("guest",),
                condition=~models.Q(version=models.F("told_version")),
                name="rests_to_tell",
            ),
        )

    def __str__(self) -> str:
        return f"rests of {self.guest}"


class Vacation(models.Model):
    """A vacation of a guest."""

    guest = models.ForeignKey(Guest, models.CASCADE, related_name="vacations")
    start = models.FloatField()
    """Seconds since the epoch."""
    end = models.FloatField()
    is_automatic = models.BooleanField(default=False)
    """Whether it began by itself as a clock would have run out."""
    tell_at = models.FloatField(null=True)
    """When something is told of it next, in seconds since the epoch; None: nothing more is."""
    has_begun = models.BooleanField(default=False)
    """Whether it was told that it has begun."""

    class Meta:
        ordering = ("start",)
        constraints = (models.UniqueConstraint("guest", "start", name="vacation_once"),)
        indexes = (
            models.Index("tell_at", condition=models.Q(tell_at__isnull=False), name="vacations_to_tell"),
        )

    def __str__(self) -> str:
        return f"vacation of {self.guest}"
