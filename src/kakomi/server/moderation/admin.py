"""Read-only administration pages for cases, measures and the log. Staff act on the moderation pages."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin
from kakomi.server.moderation import models


@admin.register(models.Case)
class Cases(ReadOnlyAdmin):
    """Staff's cases about people."""

    list_display = ("about", "opened_at", "closed_at")
    list_select_related = ("about",)
    search_fields = ("about__name", "about__handle")


@admin.register(models.Measure)
class Measures(ReadOnlyAdmin):
    """Staff's decisions about people."""

    list_display = ("about", "kind", "reason", "at", "until", "lifted_at")
    list_filter = ("kind",)
    list_select_related = ("about",)
    search_fields = ("about__name", "about__handle")


@admin.register(models.AuditEntry)
class Log(ReadOnlyAdmin):
    """The audit log."""

    list_display = ("by", "act", "about", "reason", "at")
    list_filter = ("act",)
    list_select_related = ("by", "about")
