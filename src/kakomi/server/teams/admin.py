"""Teams, for staff: to be looked at. Names are taken away on the team's page."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.teams.models import Member, Team


class Members(ReadOnlyInline):
    """Who belongs to it, asks to, or was removed."""

    model = Member
    fields = ("guest", "state", "since")


@admin.register(Team)
class Teams(ReadOnlyAdmin):
    """A team with its members."""

    list_display = ("code", "name", "game", "founder", "closed_at")
    list_filter = ("game",)
    list_select_related = ("founder",)
    search_fields = ("code", "name", "founder__name", "founder__handle")
    ordering = ("-pk",)
    inlines = (Members,)
