"""Schedules, for staff: to be looked at. They are set up on the pages of tournaments."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.schedules.models import Occurrence, Schedule


class Occurrences(ReadOnlyInline):
    """The tournaments that came of a schedule."""

    model = Occurrence
    fields = ("number", "at", "tournament")


@admin.register(Schedule)
class Schedules(ReadOnlyAdmin):
    """A schedule with its tournaments."""

    list_display = ("name", "frequency", "weekday", "is_on", "count", "next_at")
    list_filter = ("is_on", "frequency")
    search_fields = ("name",)
    ordering = ("-pk",)
    inlines = (Occurrences,)
