"""Django's admin for staff: the site, and base classes for the apps' admin pages."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from kakomi.server.accounts.sessions import has_shown_lately


def _never(*_: object, **__: object) -> bool:
    """A permission that no one has."""
    return False


class ChangeOnly:
    """Rows that only the site adds, and that can't be deleted, as this would delete other rows too."""

    has_add_permission = has_delete_permission = _never


class _ReadOnly(ChangeOnly):
    """Rows that only services change, as they are derived from a log or belong to somebody."""

    has_change_permission = _never


class ReadOnlyAdmin(_ReadOnly, admin.ModelAdmin):
    """A read-only list of rows, the latest first, without the expensive count of all rows."""

    ordering: ClassVar[tuple[str, ...]] = ("-pk",)
    show_full_result_count = False
    list_per_page = 50


class ReadOnlyInline(_ReadOnly, admin.TabularInline):
    """Read-only rows that belong to the one shown."""

    extra = 0
    show_change_link = False


class StaffSite(admin.AdminSite):
    """Django's admin under our name. Staff sign in on the same page as everybody, with their second step."""

    site_header = site_title = gettext_lazy("Kakomi administration")
    index_title = gettext_lazy("Stored data")
    site_url = "/"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether the user is staff and has authenticated recently."""
        return super().has_permission(request) and has_shown_lately(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the sign-in page. Raises Http404 for other users, and if there are no staff."""
        del extra_context
        if not get_user_model()._default_manager.filter(is_staff=True, is_active=True).exists():
            raise Http404
        if request.user.is_authenticated and not super().has_permission(request):
            raise Http404
        page = "account_reauthenticate" if request.user.is_authenticated else "account_login"
        return redirect(f"{reverse(page)}?{urlencode({'next': reverse('admin:index')})}")

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        """Redirect to the site's page for signing out."""
        del extra_context
        return redirect("account_logout", preserve_request=True)
