"""Who answered which puzzle, for staff. Nothing can be changed."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.puzzles.models import Attempt


@admin.register(Attempt)
class Attempts(ReadOnlyAdmin):
    """Answers of people."""

    list_display = ("puzzle", "guest", "is_right")
    list_filter = ("is_right",)
    list_select_related = ("guest",)
    search_fields = ("puzzle", "guest__name")
