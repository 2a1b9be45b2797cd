"""Mails that came in, for staff: what has become of them, to be looked at. What they said stays private."""

from django.contrib import admin

from kakomi.server.administration.model_admins import ReadOnlyAdmin
from kakomi.server.post.models import Confirmation, Correspondent, QueuedTurn, ReceivedMail, Subscription


@admin.register(ReceivedMail)
class ReceivedMails(ReadOnlyAdmin):
    """What came in, and what has become of it."""

    list_display = ("pk", "sender", "state", "note", "attempts", "guest")
    list_filter = ("state",)
    list_select_related = ("guest",)
    fields = ("key", "sender", "guest", "state", "note", "attempts", "received_at", "done_at")


@admin.register(Confirmation)
class Confirmations(ReadOnlyAdmin):
    """What waits for somebody to confirm it."""

    list_display = ("pk", "kind", "guest", "created_at", "expires_at", "done_at")
    list_filter = ("kind",)
    list_select_related = ("guest",)


@admin.register(Correspondent)
class Correspondents(ReadOnlyAdmin):
    """To whom mails come back."""

    list_display = ("guest", "bounces")
    list_select_related = ("guest",)
    ordering = ("-bounces", "pk")


@admin.register(Subscription)
class Subscriptions(ReadOnlyAdmin):
    """Who watches which table by mail."""

    list_display = ("guest", "table")
    list_select_related = ("guest", "table")


@admin.register(QueuedTurn)
class QueuedTurns(ReadOnlyAdmin):
    """Turns that wait. Which ones is their player's affair."""

    list_display = ("seat", "table", "dropped_at")
    fields = ("seat", "table", "dropped_at")
    list_select_related = ("seat__table", "table")
