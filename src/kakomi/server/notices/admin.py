"""Notices, for staff: what is to be sent and what has become of it, to be looked at."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.notices.models import Delivery, Endpoint, Mailing, Notice, Wish


@admin.register(Delivery)
class Deliveries(ReadOnlyAdmin):
    """What is to be sent, was sent, or is kept because the site has no mail server."""

    list_display = ("key", "channel", "state", "attempts", "error", "guest")
    list_filter = ("channel", "state")


@admin.register(Endpoint)
class Endpoints(ReadOnlyAdmin):
    """Browsers that take push. Secrets stay secret."""

    list_display = ("label", "guest", "is_on", "failures", "off_reason")
    list_filter = ("is_on",)
    fields = ("label", "guest", "is_on", "failures", "off_reason", "used_at", "created_at")


@admin.register(Notice)
class Notices(ReadOnlyAdmin):
    """What somebody is told."""

    list_display = ("kind", "guest", "table", "at", "read_at", "mailed_at", "is_waiting")
    list_filter = ("kind", "is_waiting")
    list_select_related = ("guest", "table")
    search_fields = ("guest__name", "guest__handle", "table__code")


@admin.register(Wish)
class Wishes(ReadOnlyAdmin):
    """What somebody wants to be told by which way, where that is not what everybody gets."""

    list_display = ("guest", "kind", "channel", "is_on")
    list_filter = ("kind", "channel", "is_on")
    list_select_related = ("guest",)


@admin.register(Mailing)
class Mailings(ReadOnlyAdmin):
    """How somebody wants mail, and what was written so far."""

    list_display = ("guest", "pace", "hour", "written", "written_at", "refusals")
    list_filter = ("pace",)
    list_select_related = ("guest",)
