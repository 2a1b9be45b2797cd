"""The admin as staff see it: none without staff, and a sign-in that lasts for a day's work."""

import time
from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

SIGN_IN_SECONDS = 12 * 3600
"""A guest's cookie lasts for a year; staff have to show their password again after these seconds."""
_SIGNED_IN_AT = "staff_signed_in_at"
_KEPT = ("guest", "sign_outs")
"""What a browser's session holds of its guest, who stays when staff sign out."""


class StaffSite(admin.AdminSite):
    """Django's admin under our name."""

    site_header = site_title = gettext_lazy("Kakomi, for staff")
    index_title = gettext_lazy("What the site keeps")
    site_url = "/"

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether somebody is staff, and signed in not long ago."""
        since = request.session.get(_SIGNED_IN_AT, 0.0)
        return super().has_permission(request) and 0 <= time.time() - since < SIGN_IN_SECONDS

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The page to sign in. A site without staff has none: there is nothing to guess there."""
        if not get_user_model()._default_manager.filter(is_staff=True, is_active=True).exists():
            raise Http404
        kept = _of_guest(request)
        response = super().login(request, extra_context)
        if request.method == "POST" and request.user.is_authenticated:
            request.session.update({**kept, _SIGNED_IN_AT: time.time()})
        return response

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Sign out; whoever the browser is as a guest, it stays."""
        kept = _of_guest(request)
        response = super().logout(request, extra_context)
        request.session.update(kept)
        return response


def _of_guest(request: HttpRequest) -> dict[str, Any]:
    return {name: request.session[name] for name in _KEPT if name in request.session}
