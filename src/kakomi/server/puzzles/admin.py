"""People's attempts at puzzles in the admin site, read-only."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin
from kakomi.server.puzzles.models import Attempt


@admin.register(Attempt)
class Attempts(ReadOnlyAdmin):
    """Attempts at puzzles."""

    list_display = ("puzzle", "guest", "is_right")
    list_filter = ("is_right",)
    list_select_related = ("guest",)
    search_fields = ("puzzle", "guest__name")
