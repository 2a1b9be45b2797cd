"""Plans in the admin site: staff see that a plan exists, but not its turns."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin
from kakomi.server.plans.models import Plan


@admin.register(Plan)
class Plans(ReadOnlyAdmin):
    """Plans, without their turns."""

    list_display = ("seat", "is_armed", "version", "changed_at")
    list_filter = ("is_armed",)
    fields = ("seat", "table", "is_armed", "version", "entries", "changed_at")
