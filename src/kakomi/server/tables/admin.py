"""Read-only admin pages of tables and outages. Services write them. Invitations stay secret."""

from django.contrib import admin
from django.urls import reverse

from kakomi.server.accounts.administration import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.tables.models import Entry, Outage, Seat, Table


class Seats(ReadOnlyInline):
    """The seats of a table."""

    model = Seat
    fields = ("number", "guest", "name", "bot", "share", "wants_rematch")


class Entries(ReadOnlyInline):
    """A table's log."""

    model = Entry
    fields = ("number", "content", "key")


@admin.register(Table)
class Tables(ReadOnlyAdmin):
    """A table with its seats and its log."""

    list_display = ("code", "game", "entries", "is_over", "waits_for_bot", "created_at", "changed_at")
    list_filter = ("game", "is_over", "waits_for_bot")
    search_fields = ("code", "seats__name", "seats__guest__name")
    inlines = (Seats, Entries)

    def view_on_site(self, row: Table) -> str:
        """The URL of the table's page."""
        return reverse("table", args=[row.code])


@admin.register(Outage)
class Outages(ReadOnlyAdmin):
    """Times when the site was down."""

    list_display = ("start", "end")
    ordering = ("-start",)
