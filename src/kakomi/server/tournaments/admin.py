"""Read-only administration pages for tournaments. Directors act on the tournament's page."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.tournaments.models import Entrant, LogEntry, Round, Tournament


class Entrants(ReadOnlyInline):
    """The present and former entrants."""

    model = Entrant
    fields = ("number", "guest", "bot", "is_in", "leaving")


class Rounds(ReadOnlyInline):
    """The tournament's rounds."""

    model = Round
    fields = ("number", "begun_at", "ends_at", "is_over")


class Log(ReadOnlyInline):
    """The tournament's log."""

    model = LogEntry
    fields = ("number", "content", "by", "reason")


@admin.register(Tournament)
class Tournaments(ReadOnlyAdmin):
    """A tournament with its entrants, rounds and log."""

    list_display = ("code", "name", "game", "state", "is_rated", "organiser")
    list_filter = ("state", "game", "is_rated")
    list_select_related = ("organiser",)
    search_fields = ("code", "name", "organiser__name", "organiser__handle")
    inlines = (Entrants, Rounds, Log)
