"""Guests and users, for staff. Nobody sees a token here: who has one can pass for its guest."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext

from kakomi.server.accounts import services
from kakomi.server.accounts.models import Guest, User
from kakomi.server.administration.model_admins import ChangeOnly, ReadOnlyAdmin


@admin.register(Guest)
class Guests(ChangeOnly, admin.ModelAdmin):
    """A guest's name can be changed, and their browsers signed out."""

    fields = ("name", "created_at", "sign_outs")
    readonly_fields = ("created_at", "sign_outs")
    list_display = ("__str__", "created_at", "sign_outs")
    search_fields = ("name", "=pk")
    ordering = ("-pk",)
    show_full_result_count = False
    actions = ("sign_out",)

    @admin.action(description=gettext_lazy("Renew the private link and sign out everywhere"))
    def sign_out(self, request: HttpRequest, guests: "QuerySet[Guest]") -> None:
        """For somebody whose private link got about."""
        for guest in guests:
            services.renew_link(guest)
        told = ngettext("Signed out 1 guest.", "Signed out {count} guests.", len(guests))
        self.message_user(request, told.format(count=len(guests)))


@admin.register(User)
class Users(ChangeOnly, UserAdmin):
    """People who sign in. `kakomi staff` adds them; who should not sign in any more is made inactive."""

    fieldsets = (
        (None, {"fields": ("username", "password", "email", "guest")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("guest", "last_login", "date_joined")
    list_display = ("username", "email", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("username", "email")


@admin.register(LogEntry)
class Log(ReadOnlyAdmin):
    """What staff have changed."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag")
    list_filter = ("action_flag", "content_type")
    date_hierarchy = "action_time"
