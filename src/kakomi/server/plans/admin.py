"""Plans, for staff: whether there is one. What is planned is nobody's business while the game goes on."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.plans.models import Plan


@admin.register(Plan)
class Plans(ReadOnlyAdmin):
    """A plan without its turns."""

    list_display = ("seat", "is_armed", "version", "changed_at")
    list_filter = ("is_armed",)
    fields = ("seat", "table", "is_armed", "version", "entries", "changed_at")
