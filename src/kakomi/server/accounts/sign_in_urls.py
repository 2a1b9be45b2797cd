"""The addresses for signing up and in. Their names are those by which allauth makes links.

Views of allauth are imported when they are asked for, each with allauth's middleware round it. Few requests
sign anybody in, so no other passes through that middleware or waits for these imports.
"""

from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.module_loading import import_string
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView

View = Callable[..., HttpResponseBase]


def allauth_view(name: str, **settings: Any) -> View:
    """The class-based view `allauth.<name>` with settings such as its template."""

    @never_cache
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        from allauth.account.middleware import AccountMiddleware

        def answer(request: HttpRequest) -> HttpResponseBase:
            try:
                response = _loaded(name, **settings)(request, *args, **kwargs)
                if isinstance(response, TemplateResponse):
                    _mark_refusal(request, response)
                    response.render()  # while allauth knows the request
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


def _mark_refusal(request: HttpRequest, response: TemplateResponse) -> None:
    """A form that comes back with mistakes in it was refused."""
    forms = [(response.context_data or {}).get(name) for name in ("form", "webauthn_form")]
    was_refused = any(form is not None and form.is_bound and form.errors for form in forms)
    if request.method == "POST" and response.status_code == HTTPStatus.OK and was_refused:
        response.status_code = HTTPStatus.UNPROCESSABLE_ENTITY


@cache
def _loaded(name: str, **settings: Any) -> View:
    view: View = import_string(f"allauth.{name}").as_view(**settings)
    return view


_ME = RedirectView.as_view(pattern_name="me")


def _page(route: str, view: str, name: str, template: str = "") -> URLPattern:
    """A page of allauth's in a template of ours."""
    settings: dict[str, Any] = {"template_name": f"accounts/{template}"} if template else {}
    return path(route, allauth_view(view, **settings), name=name)


_SIGNING_IN = [
    _page("sign-up", "account.views.SignupView", "account_signup", "sign_up.html"),
    _page("sign-in", "account.views.LoginView", "account_login", "sign_in.html"),
    _page("sign-in/passkey", "mfa.webauthn.views.LoginWebAuthnView", "mfa_login_webauthn"),
    _page("sign-in/second", "mfa.base.views.AuthenticateView", "mfa_authenticate", "second_step.html"),
    _page("sign-out", "account.views.LogoutView", "account_logout", "sign_out.html"),
    _page("inactive", "account.views.AccountInactiveView", "account_inactive", "inactive.html"),
    _page("again", "account.views.ReauthenticateView", "account_reauthenticate", "again.html"),
    _page("again/code", "mfa.base.views.ReauthenticateView", "mfa_reauthenticate", "again.html"),
    _page(
        "again/passkey",
        "mfa.webauthn.views.ReauthenticateWebAuthnView",
        "mfa_reauthenticate_webauthn",
        "again.html",
    ),
]

_PASSWORD = [
    _page("password", "account.views.PasswordChangeView", "account_change_password", "password.html"),
    _page("password/new", "account.views.PasswordSetView", "account_set_password", "password.html"),
    _page("forgotten", "account.views.PasswordResetView", "account_reset_password", "forgotten.html"),
    _page(
        "forgotten/sent",
        "account.views.PasswordResetDoneView",
        "account_reset_password_done",
        "forgotten_sent.html",
    ),
    _page(
        "forgotten/<str:uidb36>/<str:key>",
        "account.views.PasswordResetFromKeyView",
        "account_reset_password_from_key",
        "new_password.html",
    ),
    _page(
        "forgotten/done",
        "account.views.PasswordResetFromKeyDoneView",
        "account_reset_password_from_key_done",
        "new_password_done.html",
    ),
]

_ADDRESSES = [
    _page("addresses", "account.views.EmailView", "account_email", "addresses.html"),
    _page("addresses/<str:key>", "account.views.ConfirmEmailView", "account_confirm_email", "address.html"),
]

_SECOND_STEP = [
    path("", _ME, name="mfa_index"),
    path("passkeys", _ME, name="mfa_list_webauthn"),
    _page("passkeys/new", "mfa.webauthn.views.AddWebAuthnView", "mfa_add_webauthn", "passkey.html"),
    _page(
        "passkeys/<int:pk>/name",
        "mfa.webauthn.views.EditWebAuthnView",
        "mfa_edit_webauthn",
        "passkey_name.html",
    ),
    _page(
        "passkeys/<int:pk>/remove",
        "mfa.webauthn.views.RemoveWebAuthnView",
        "mfa_remove_webauthn",
        "passkey_remove.html",
    ),
    _page("app", "mfa.totp.views.ActivateTOTPView", "mfa_activate_totp", "app.html"),
    _page("app/remove", "mfa.totp.views.DeactivateTOTPView", "mfa_deactivate_totp", "app_remove.html"),
    _page("codes", "mfa.recovery_codes.views.ViewRecoveryCodesView", "mfa_view_recovery_codes", "codes.html"),
    _page(
        "codes/new",
        "mfa.recovery_codes.views.GenerateRecoveryCodesView",
        "mfa_generate_recovery_codes",
        "codes_new.html",
    ),
    _page(
        "codes/file",
        "mfa.recovery_codes.views.DownloadRecoveryCodesView",
        "mfa_download_recovery_codes",
        "codes.txt",
    ),
]

urlpatterns = [*_SIGNING_IN, *_PASSWORD, *_ADDRESSES, *_SECOND_STEP]
