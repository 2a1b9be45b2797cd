"""Outages, for staff: to be looked at. Clocks stood still in them."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.uptime.models import Outage


@admin.register(Outage)
class Outages(ReadOnlyAdmin):
    """A time in which the site was down."""

    list_display = ("start", "end")
    ordering = ("-start",)
