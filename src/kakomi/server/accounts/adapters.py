"""Adapters that configure allauth: the guest of a new user, and the texts of pages and mails."""

import time
from typing import Any, ClassVar

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import REAUTHENTICATION_TIMEOUT
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from kakomi.server.accounts import services
from kakomi.server.accounts.middleware import guest_before, guest_of
from kakomi.server.accounts.models import User
from kakomi.server.accounts.name_rules import is_reserved
from kakomi.server.accounts.selectors import has_belongings
from kakomi.server.accounts.wording import ERRORS, MESSAGES, NOTIFICATIONS, SECOND_STEP_ERRORS
from kakomi.server.site.configuration import configuration, leads_out
from kakomi.server.site.database import writing


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Customizes allauth's handling of usernames, passwords and mail addresses."""

    error_messages: ClassVar = {**DefaultAccountAdapter.error_messages, **ERRORS}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Refuse a name that could be mistaken for the staff's or for another user's."""
        if is_reserved(username):
            raise self.validation_error("username_blacklisted")
        if not shallow and User.objects.like(username).exists():
            is_same = User.objects.named(username).exists()
            raise self.validation_error("username_taken" if is_same else "username_alike")
        return str(super().clean_username(username, shallow=True))  # whether it is taken was checked above

    def clean_email(self, email: str) -> str:
        """On a public site, refuse addresses in the local network."""
        if configuration().is_public and not leads_out(email.rpartition("@")[2]):
            raise self.validation_error("email_local")
        return email

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """The user with these credentials. The capitalization of the name doesn't matter, in any alphabet."""
        if user := User.objects.named(credentials.get("username", "")).first():
            credentials["username"] = user.username
        found: User | None = super().authenticate(request, **credentials)
        return found

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """Save a new user as the guest of their browser. Raises ValidationError for a taken name."""
        super().save_user(request, user, form, commit=False)
        try:
            with writing():
                signed_up = services.sign_up(user, guest_of(request))
                services.note_zone(signed_up.guest, request.POST.get("zone", ""))
                return signed_up
        except IntegrityError:
            raise self.validation_error("username_taken") from None

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """Continue after signing in. Signing up counts as an authentication with a password."""
        if how["signup"]:
            record_authentication(request, user, method="password")
        response: HttpResponse = super().post_login(request, user, **how)
        return response

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """The user's own page, which suggests what else to do for the account."""
        return reverse("me") + "?welcome"

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The home page, or the user's own page if the browser was another guest who has belongings."""
        before = guest_before(request)
        return reverse("me") if before and has_belongings(before) else reverse("home")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """A page that says that the address is confirmed: the user's own, or the sign-in page."""
        return reverse("me" if self.request.user.is_authenticated else "account_login")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """The user's own page."""
        return reverse("me")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link in a mail for replacing a password; `key` is the user's key, a hyphen and a secret."""
        user, _, secret = key.partition("-")
        path = reverse("account_reset_password_from_key", args=[user, secret])
        return str(self.request.build_absolute_uri(path))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Whether the last authentication is longer ago than `REAUTHENTICATION_TIMEOUT`."""
        records = get_authentication_records(self.request, self.request.user)
        return not records or time.time() - records[-1]["at"] > REAUTHENTICATION_TIMEOUT

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Show a message on the next page, in our words; those without words of ours are dropped."""
        template = MESSAGES.get(message_template or "")
        said = message or (str(template).format_map(message_context or {}) if template else "")
        if said:
            messages.add_message(request, level, said, extra_tags)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Notify an account's owner of a change by mail. These mails differ only in one sentence."""
        context = context or {}
        what = str(NOTIFICATIONS[template_prefix]).format_map(context)
        reset = self.request.build_absolute_uri(reverse("account_reset_password"))
        told = {**context, "what": what, "user": user, "password_reset_url": reset}
        super().send_notification_mail("accounts/mail/notification", user, told, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, with the template under `accounts/mail/` instead of allauth's."""
        ours = template_prefix.replace("account/email/", "accounts/mail/")
        super().send_mail(ours, email, {**context, "site_name": settings.SITE_NAME})


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Passkeys, authenticator apps and recovery codes."""

    error_messages: ClassVar = {**DefaultMFAAdapter.error_messages, **SECOND_STEP_ERRORS}

    def build_totp_svg(self, url: str) -> str:
        """The QR code for authenticator apps, as SVG."""
        return segno.make(url, error="m", micro=False).svg_inline(scale=4, border=2, light="#fff")

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """A default name for a passkey."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return gettext("Passkey {number}").format(number=count + 1)

    def _get_user_identifier(self, user: User) -> str:
        """The account's name in apps and password managers: the username, as addresses may change."""
        return user.username

    def _get_site_name(self) -> str:
        return settings.SITE_NAME
