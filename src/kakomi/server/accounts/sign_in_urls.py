"""The URLs for signing up and in, with the names that allauth reverses.

allauth's views are imported on their first request, each wrapped in allauth's middleware. Few requests are
about signing in, so all others avoid that middleware and these imports.
"""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView

View = Callable[..., HttpResponseBase]
_SIGN_UP = "account.views.SignupView"


def allauth_view(name: str, **settings: Any) -> View:
    """Return the class-based view `allauth.<name>`, imported lazily, with settings such as its template."""

    @never_cache
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        from allauth.account.middleware import AccountMiddleware

        if name == _SIGN_UP:
            _note_way_back(request)

        def answer(request: HttpRequest) -> HttpResponseBase:
            try:
                response = _loaded(name, **settings)(request, *args, **kwargs)
                if isinstance(response, TemplateResponse):
                    _mark_refusal(request, response)
                    response.render()  # inside the middleware, which gives allauth the request
            except Exception as exception:
                caught: HttpResponseBase | None = middleware.process_exception(request, exception)
                if caught is None:
                    raise
                return caught
            return response

        middleware = AccountMiddleware(answer)
        answered: HttpResponseBase = middleware(request)
        answered.headers["X-Robots-Tag"] = "noindex, nofollow"
        return answered

    return view


def _note_way_back(request: HttpRequest) -> None:
    """Have signing up lead back to the page with the link: a table, a challenge, a tournament. The home page
    and pages about accounts are no such places."""
    page, here = urlsplit(request.headers.get("Referer", "")), request.get_host()
    others = (reverse("me"), reverse("account_login").removesuffix("sign-in"))
    if page.netloc == here and page.path != reverse("home") and not page.path.startswith(others):
        query = request.GET.copy()
        query.setdefault("next", page._replace(scheme="", netloc="").geturl())
        request.GET = query  # type: ignore[assignment]  # it can be changed


def _mark_refusal(request: HttpRequest, response: TemplateResponse) -> None:
    """Set the status 422 if the response shows a form with errors."""
    forms = [(response.context_data or {}).get(name) for name in ("form", "webauthn_form")]
    was_refused = any(form is not None and form.is_bound and form.errors for form in forms)
    if request.method == "POST" and response.status_code == HTTPStatus.OK and was_refused:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY


@cache
def _loaded(name: str, **settings: Any) -> View:
    view: View = import_string(f"allauth.{name}").as_view(**settings)
    return view


_PAGES = """
sign-up account.SignupView account_signup sign_up
sign-in account.LoginView account_login sign_in
sign-in/passkey mfa.webauthn.LoginWebAuthnView mfa_login_webauthn
sign-in/second mfa.base.AuthenticateView mfa_authenticate second_step
sign-out account.LogoutView account_logout sign_out
inactive account.AccountInactiveView account_inactive inactive
again account.ReauthenticateView account_reauthenticate again
again/code mfa.base.ReauthenticateView mfa_reauthenticate again
again/passkey mfa.webauthn.ReauthenticateWebAuthnView mfa_reauthenticate_webauthn again
password account.PasswordChangeView account_change_password password
password/new account.PasswordSetView account_set_password password
forgotten account.PasswordResetView account_reset_password forgotten
forgotten/sent account.PasswordResetDoneView account_reset_password_done forgotten_sent
forgotten/<str:uidb36>/<str:key> account.PasswordResetFromKeyView account_reset_password_from_key new_password
forgotten/done account.PasswordResetFromKeyDoneView account_reset_password_from_key_done new_password_done
addresses account.EmailView account_email addresses
addresses/<str:key> account.ConfirmEmailView account_confirm_email address
passkeys/new mfa.webauthn.AddWebAuthnView mfa_add_webauthn passkey
passkeys/<int:pk>/name mfa.webauthn.EditWebAuthnView mfa_edit_webauthn passkey_name
passkeys/<int:pk>/remove mfa.webauthn.RemoveWebAuthnView mfa_remove_webauthn passkey_remove
app mfa.totp.ActivateTOTPView mfa_activate_totp app
app/remove mfa.totp.DeactivateTOTPView mfa_deactivate_totp app_remove
codes mfa.recovery_codes.ViewRecoveryCodesView mfa_view_recovery_codes codes
codes/new mfa.recovery_codes.GenerateRecoveryCodesView mfa_generate_recovery_codes codes_new
codes/file mfa.recovery_codes.DownloadRecoveryCodesView mfa_download_recovery_codes codes.txt
"""
"""allauth's pages: route, view, name, and our template if there is one."""


def _page(line: str) -> URLPattern:
    """The route of a line of `_PAGES`."""
    route, view, name, *template = line.split()
    app, _, of_app = view.rpartition(".")
    named = [text if "." in text else f"{text}.html" for text in template]
    settings: dict[str, Any] = {"template_name": f"accounts/{named[0]}"} if named else {}
    return path(route, allauth_view(f"{app}.views.{of_app}", **settings), name=name)


_ME = RedirectView.as_view(pattern_name="me")
urlpatterns = [
    *map(_page, _PAGES.strip().splitlines()),
    path("", _ME, name="mfa_index"),
    path("passkeys", _ME, name="mfa_list_webauthn"),
]
