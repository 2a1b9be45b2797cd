"""Incoming mail in the admin site: staff see what became of each mail, but not its content."""

from django.contrib import admin

from kakomi.server.accounts.administration import ReadOnlyAdmin
from kakomi.server.mail.models import Confirmation, Correspondent, ReceivedMail


@admin.register(ReceivedMail)
class ReceivedMails(ReadOnlyAdmin):
    """Received mails and their states."""

    list_display = ("pk", "sender", "state", "note", "attempts", "guest")
    list_filter = ("state",)
    list_select_related = ("guest",)
    fields = ("key", "sender", "guest", "state", "note", "attempts", "received_at", "done_at")


@admin.register(Confirmation)
class Confirmations(ReadOnlyAdmin):
    """Requests that need or needed confirmation."""

    list_display = ("pk", "kind", "guest", "created_at", "expires_at", "done_at")
    list_filter = ("kind",)
    list_select_related = ("guest",)


@admin.register(Correspondent)
class Correspondents(ReadOnlyAdmin):
    """People with the number of mails that bounced."""

    list_display = ("guest", "bounces")
    list_select_related = ("guest",)
    ordering = ("-bounces", "pk")
