"""Messages, for staff: to be looked at. They are removed on a table's page of messages."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.chat.models import Message


@admin.register(Message)
class Messages(ReadOnlyAdmin):
    """What somebody wrote at a table."""

    list_display = ("table", "author", "text", "at", "removed_at")
    list_select_related = ("table", "author")
    search_fields = ("table__code", "author__handle")
    ordering = ("-pk",)
