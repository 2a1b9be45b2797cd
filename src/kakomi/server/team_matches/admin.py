"""Team matches, for staff: to be looked at."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.team_matches.models import BoardGame, Entry, TeamMatch


class Entries(ReadOnlyInline):
    """Who would play."""

    model = Entry
    fields = ("guest", "is_home", "at")


class Games(ReadOnlyInline):
    """Who plays, and how it ended."""

    model = BoardGame
    fields = ("board", "number", "table", "home_seat", "home_points")


@admin.register(TeamMatch)
class TeamMatches(ReadOnlyAdmin):
    """A match with its entries and games."""

    list_display = ("code", "home", "away", "game", "state", "is_rated")
    list_filter = ("state", "game", "is_rated")
    list_select_related = ("home", "away")
    search_fields = ("code", "home__name", "away__name")
    ordering = ("-pk",)
    inlines = (Entries, Games)
