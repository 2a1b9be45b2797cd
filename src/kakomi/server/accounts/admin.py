"""Admin pages of guests and users. Tokens aren't shown, as anybody who has one can act as its guest."""

import allauth.account.admin
import allauth.mfa.admin  # noqa: F401 (registers models that are registered differently here)
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext

from kakomi.server.accounts import services
from kakomi.server.accounts.administration import ChangeOnly, ReadOnlyAdmin
from kakomi.server.accounts.models import Guest, SignIn, User


@admin.register(Guest)
class Guests(ChangeOnly, admin.ModelAdmin):
    """Guests: staff can change their names and sign out their browsers."""

    fields = ("name", "created_at", "sign_outs")
    readonly_fields = ("created_at", "sign_outs")
    list_display = ("__str__", "created_at", "sign_outs")
    search_fields = ("name", "=pk")
    ordering = ("-pk",)
    show_full_result_count = False
    actions = ("sign_out",)

    @admin.action(description=gettext_lazy("Renew the private link and sign out everywhere"))
    def sign_out(self, request: HttpRequest, guests: "QuerySet[Guest]") -> None:
        """Renew the links of guests whose private link has leaked."""
        for guest in guests:
            services.renew_link(guest)
        told = ngettext("Signed out 1 guest.", "Signed out {count} guests.", len(guests))
        self.message_user(request, told.format(count=len(guests)))


@admin.register(User)
class Users(ChangeOnly, UserAdmin):
    """Users. `kakomi staff` adds staff; staff can deactivate users, who then can't sign in any more."""

    fieldsets = (
        (None, {"fields": ("username", "password", "email", "guest")}),
        ("Permissions", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("guest", "last_login", "date_joined")
    list_display = ("username", "email", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    search_fields = ("username", "email")


for model in (EmailAddress, Authenticator):
    admin.site.unregister(model)


@admin.register(EmailAddress)
class Addresses(ReadOnlyAdmin):
    """Mail addresses, which only their owners change."""

    list_display = ("email", "user", "verified", "primary")
    search_fields = ("email", "user__username")


@admin.register(Authenticator)
class SecondSteps(ReadOnlyAdmin):
    """Passkeys, authenticator apps and recovery codes, without their secrets. Staff can delete those of
    somebody who has lost them and has proved their identity."""

    fields = ("user", "type", "created_at", "last_used_at")
    list_display = ("user", "type", "created_at", "last_used_at")
    search_fields = ("user__username",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:  # type: ignore[override]
        """Whether the staff member has the permission, as in Django's `ModelAdmin`."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(SignIn)
class SignIns(ReadOnlyAdmin):
    """Browsers that are signed in."""

    fields = ("user", "started_at", "seen_at")
    list_display = ("user", "started_at", "seen_at")
    search_fields = ("user__username",)


@admin.register(LogEntry)
class Log(ReadOnlyAdmin):
    """What staff have changed."""

    list_display = ("action_time", "user", "content_type", "object_repr", "action_flag")
    list_filter = ("action_flag", "content_type")
    date_hierarchy = "action_time"
