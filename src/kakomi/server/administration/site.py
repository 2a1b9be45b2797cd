"""The admin as staff see it: none without staff, and a sign-in that lasts for a day's work."""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy

from kakomi.server.administration.recent_sign_in import has_shown_lately


class StaffSite(admin.AdminSite):
    """Django's admin under our name. Staff sign in where everybody does, with their second step."""

    site_header = site_title = gettext_lazy("Kakomi, for staff")
    index_title = gettext_lazy("What the site keeps")
    site_url = "/"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether somebody is staff, and has shown not long ago who they are."""
        return super().has_permission(request) and has_shown_lately(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The way to the page to sign in. A site without staff has none: there is nothing to guess there."""
        del extra_context
        if not get_user_model()._default_manager.filter(is_staff=True, is_active=True).exists():
            raise Http404
        if request.user.is_authenticated and not super().has_permission(request):
            raise Http404
        page = "account_reauthenticate" if request.user.is_authenticated else "account_login"
        return redirect(f"{reverse(page)}?{urlencode({'next': reverse('admin:index')})}")

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        """Sign out, as everywhere."""
        del extra_context
        return redirect("account_logout", preserve_request=True)
