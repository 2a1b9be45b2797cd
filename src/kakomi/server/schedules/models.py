"""Schedules, and the tournaments that came of them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from kakomi.server.schedules.rules import Frequency, Rule
from kakomi.server.tournaments.models import LONGEST_NAME, Tournament

LONGEST_TITLE = LONGEST_NAME - 6
"""A number comes behind it."""


class Schedule(models.Model):
    """A tournament that comes again. Whoever announces one of its tournaments has locked this row."""

    pattern = models.ForeignKey(Tournament, models.PROTECT, related_name="schedules")
    """What is agreed of each of its tournaments is what was agreed of this one."""
    name = models.CharField(max_length=LONGEST_TITLE)
    frequency = models.CharField(
        max_length=7, choices=[("weekly", gettext_lazy("weekly")), ("monthly", gettext_lazy("monthly"))]
    )
    weekday = models.PositiveSmallIntegerField()
    """From 0, Monday."""
    interval = models.PositiveSmallIntegerField(default=1)
    """Every so many weeks, or months."""
    week = models.SmallIntegerField(default=1)
    """Of a monthly one: the first to the fourth such day of the month, or -1, the last."""
    minute = models.PositiveSmallIntegerField()
    """Of the day, by the clocks of the zone."""
    zone = models.CharField(max_length=60, default="UTC")
    """The time zone by whose clocks it comes, as the IANA names it."""
    since = models.FloatField()
    """From this moment on it comes, in seconds since the epoch, as the other moments are."""
    announce_days = models.PositiveSmallIntegerField()
    """So many days before it begins each is announced."""
    is_on = models.BooleanField(default=True)
    count = models.PositiveIntegerField(default=0)
    """The tournaments that were announced."""
    next_at = models.FloatField()
    """When the next one begins that has not been announced."""
    announce_at = models.FloatField()
    """When that one is to be announced."""

    class Meta:
        permissions = (("schedule", "Can set up tournaments by schedule"),)
        indexes = (models.Index("announce_at", condition=Q(is_on=True), name="schedules_due"),)

    def __str__(self) -> str:
        return self.name

    @property
    def rule(self) -> Rule:
        """When it comes."""
        frequency: Frequency = "weekly" if self.frequency == "weekly" else "monthly"
        return Rule(frequency, self.weekday, self.minute, self.since, self.interval, self.week, self.zone)


class Occurrence(models.Model):
    """A tournament that was announced by a schedule: one for each moment."""

    schedule = models.ForeignKey(Schedule, models.PROTECT, related_name="occurrences")
    at = models.FloatField()
    """When the schedule has it begin."""
    number = models.PositiveIntegerField()
    """From 1; it stands in the name."""
    tournament = models.OneToOneField(Tournament, models.PROTECT, related_name="occurrence")

    class Meta:
        ordering = ("at",)
        constraints = (
            models.UniqueConstraint("schedule", "at", name="occurrence_once_a_moment"),
            models.UniqueConstraint("schedule", "number", name="occurrence_once_a_number"),
        )

    def __str__(self) -> str:
        return f"{self.schedule} {self.number}"
