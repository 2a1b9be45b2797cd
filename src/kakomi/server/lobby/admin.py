"""Read-only administration pages for seeks. Only services change them."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin, ReadOnlyInline
from kakomi.server.lobby.models import Invitee, Place, Seek, SeekGame


class Places(ReadOnlyInline):
    """The guests who have joined."""

    model = Place
    fields = ("guest", "round")


class Invitees(ReadOnlyInline):
    """The challenged guests with their answers."""

    model = Invitee
    fields = ("guest", "answer", "reason")


class Games(ReadOnlyInline):
    """The games that the seek became."""

    model = SeekGame
    fields = ("round", "table")


@admin.register(Seek)
class Seeks(ReadOnlyAdmin):
    """A seek with the people in it."""

    list_display = ("code", "kind", "game", "pace", "is_rated", "owner", "ending")
    list_filter = ("kind", "game", "pace", "is_rated", "ending")
    list_select_related = ("owner",)
    search_fields = ("code", "owner__name")
    inlines = (Places, Invitees, Games)
