"""Cases, measures and the log, for staff: to be looked at. They are decided on the pages of moderation."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.moderation import models


@admin.register(models.Case)
class Cases(ReadOnlyAdmin):
    """What staff look at about one person."""

    list_display = ("about", "opened_at", "closed_at")
    list_select_related = ("about",)
    search_fields = ("about__name", "about__handle")


@admin.register(models.Measure)
class Measures(ReadOnlyAdmin):
    """What staff have decided about somebody."""

    list_display = ("about", "kind", "reason", "at", "until", "lifted_at")
    list_filter = ("kind",)
    list_select_related = ("about",)
    search_fields = ("about__name", "about__handle")


@admin.register(models.AuditEntry)
class Log(ReadOnlyAdmin):
    """What staff did."""

    list_display = ("by", "act", "about", "reason", "at")
    list_filter = ("act",)
    list_select_related = ("by", "about")
