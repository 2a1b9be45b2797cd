"""Programs of others and what people let them do, for staff: to be looked at. Secrets have no page."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.oauth.models import Grant, Program


class Grants(ReadOnlyInline):
    """Who lets a program do what."""

    model = Grant
    fields = ("user", "scopes", "granted_at")


@admin.register(Program)
class Programs(ReadOnlyAdmin):
    """A program with those who let it in."""

    list_display = ("name", "owner", "redirect_uris", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    ordering = ("-pk",)
    inlines = (Grants,)
