"""How allauth works here: which guest a new user is, and what pages and mails say."""

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
from kakomi.server.configuration import configuration, leads_out
from kakomi.server.database import writing


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Names, passwords, addresses."""

    error_messages: ClassVar = {**DefaultAccountAdapter.error_messages, **ERRORS}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """A name that nobody can take for the staff's, or for somebody else's."""
        if is_reserved(username):
            raise self.validation_error("username_blacklisted")
        if not shallow and User.objects.like(username).exists():
            is_same = User.objects.named(username).exists()
            raise self.validation_error("username_taken" if is_same else "username_alike")
        return str(super().clean_username(username, shallow=True))  # who has it was asked above

    def clean_email(self, email: str) -> str:
        """An address that a public site may mail to: none of its own network."""
        if configuration().is_public and not leads_out(email.rpartition("@")[2]):
            raise self.validation_error("email_local")
        return email

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Who signs in by these credentials; their name may be capitalized in any way, in every alphabet."""
        if user := User.objects.named(credentials.get("username", "")).first():
            credentials["username"] = user.username
        found: User | None = super().authenticate(request, **credentials)
        return found

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """Keep who signs up as the guest that their browser is. Raises ValidationError for a taken name."""
        super().save_user(request, user, form, commit=False)
        try:
            with writing():
                return services.sign_up(user, guest_of(request))
        except IntegrityError:
            raise self.validation_error("username_taken") from None

    def post_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse:
        """Go on. Who has just signed up has shown who they are."""
        if how["signup"]:
            record_authentication(request, user, method="password")
        response: HttpResponse = super().post_login(request, user, **how)
        return response

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """Their own page, which says what else they can do for their account."""
        return reverse("me") + "?welcome"

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """The home page; their own page if the browser was another guest, who may have games."""
        before = guest_before(request)
        return reverse("me") if before and has_belongings(before) else reverse("home")

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        """A page that says that the address is confirmed: their own, or elsewhere the one to sign in."""
        return reverse("me" if self.request.user.is_authenticated else "account_login")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Back to their own page."""
        return reverse("me")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """The link in a mail that replaces a password; `key` is the user's number, a hyphen and a secret."""
        user, _, secret = key.partition("-")
        path = reverse("account_reset_password_from_key", args=[user, secret])
        return str(self.request.build_absolute_uri(path))

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Not for a quarter of an hour after they have signed in, or have shown that it is still they."""
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
        """Have the next page say something in our words."""
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
        """Tell the owner of an account what has happened to it: the mails differ in one sentence."""
        context = context or {}
        what = str(NOTIFICATIONS[template_prefix]).format_map(context)
        reset = self.request.build_absolute_uri(reverse("account_reset_password"))
        told = {**context, "what": what, "user": user, "password_reset_url": reset}
        super().send_notification_mail("accounts/mail/notification", user, told, email)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail of ours: its templates lie where all of ours do."""
        ours = template_prefix.replace("account/email/", "accounts/mail/")
        super().send_mail(ours, email, {**context, "site_name": settings.SITE_NAME})


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Passkeys, authenticator apps and recovery codes."""

    error_messages: ClassVar = {**DefaultMFAAdapter.error_messages, **SECOND_STEP_ERRORS}

    def build_totp_svg(self, url: str) -> str:
        """The drawing that an authenticator app reads."""
        return segno.make(url, error="m", micro=False).svg_inline(scale=4, border=2, light="#fff")

    def generate_authenticator_name(self, user: User, type: Any) -> str:
        """A name to begin with."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return gettext("Passkey {number}").format(number=count + 1)

    def _get_user_identifier(self, user: User) -> str:
        """What apps and password managers call the account: it doesn't change with an address."""
        return user.username

    def _get_site_name(self) -> str:
        return settings.SITE_NAME
