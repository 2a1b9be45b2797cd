"""Rests and vacations, for staff: to be looked at, as flags and clocks follow from them."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.rests.models import Rests, Vacation


@admin.register(Rests)
class RegularRests(ReadOnlyAdmin):
    """When somebody rests every week and every night."""

    list_display = ("guest", "weekend", "sleep_from", "sleep_to", "is_automatic", "version")
    list_filter = ("is_automatic",)
    list_select_related = ("guest",)
    search_fields = ("guest__name", "guest__handle")


@admin.register(Vacation)
class Vacations(ReadOnlyAdmin):
    """A vacation."""

    list_display = ("guest", "start", "end", "is_automatic")
    list_filter = ("is_automatic",)
    list_select_related = ("guest",)
    search_fields = ("guest__name", "guest__handle")
    ordering = ("-start",)
