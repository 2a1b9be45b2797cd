"""Notices, for staff: what is to be sent and what has become of it, to be looked at."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.notices.models import Delivery, Endpoint


@admin.register(Delivery)
class Deliveries(ReadOnlyAdmin):
    """What is to be sent, was sent, or is kept because the site has no mail server."""

    list_display = ("key", "channel", "state", "attempts", "error", "guest")
    list_filter = ("channel", "state")
    ordering = ("-pk",)


@admin.register(Endpoint)
class Endpoints(ReadOnlyAdmin):
    """Where push and webhooks go. Secrets stay secret."""

    list_display = ("label", "channel", "guest", "is_on", "failures", "off_reason")
    list_filter = ("channel", "is_on")
    fields = ("label", "channel", "guest", "is_on", "failures", "off_reason", "used_at", "created_at")
    ordering = ("-pk",)
