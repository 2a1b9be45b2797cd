"""Notices and deliveries in the admin site, read-only."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice


@admin.register(Delivery)
class Deliveries(ReadOnlyAdmin):
    """Deliveries that wait, were sent, or are kept because the site has no mail server."""

    list_display = ("key", "channel", "state", "attempts", "error", "guest")
    list_filter = ("channel", "state")


@admin.register(Endpoint)
class Endpoints(ReadOnlyAdmin):
    """Browsers that receive push. Their keys aren't shown."""

    list_display = ("label", "guest", "is_on", "failures", "off_reason")
    list_filter = ("is_on",)
    fields = ("label", "guest", "is_on", "failures", "off_reason", "used_at", "created_at")


@admin.register(Notice)
class Notices(ReadOnlyAdmin):
    """Notices to people."""

    list_display = ("kind", "guest", "table", "at", "read_at", "mailed_at", "needs_push")
    list_filter = ("kind", "needs_push")
    list_select_related = ("guest", "table")
    search_fields = ("guest__name", "guest__handle", "table__code")


@admin.register(Mailing)
class Mailings(ReadOnlyAdmin):
    """People's mail preferences, and what was written so far."""

    list_display = ("guest", "pace", "hour", "written", "written_at", "refusals")
    list_filter = ("pace",)
    list_select_related = ("guest",)
