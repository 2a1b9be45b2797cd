"""allauth's forms, hardened against arbitrary input."""

from collections.abc import Callable
from typing import Any

from allauth.account.forms import SignupForm
from allauth.account.utils import url_str_to_user_pk
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.mfa.webauthn.internal import auth
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.http import HttpRequest
from django.shortcuts import redirect
from fido2.utils import websafe_decode

from kakomi.server.accounts.models import User
from kakomi.server.accounts.wording import SECOND_STEP_ERRORS

PASSKEY_NAME_LENGTH = 60


class SignUpForm(SignupForm):  # type: ignore[misc]  # allauth has no types
    """The sign-up form. If two people request a name at the same time, one gets an error."""

    def try_save(self, request: HttpRequest) -> Any:
        """The user and no response, or None and a redirect to the form if the name has just been taken."""
        try:
            return super().try_save(request)
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return None, redirect("account_signup")


class _Hardened:
    """Turns any error in reading a credential, which may be malformed on purpose, into a validation error."""

    def _hardened(self, method: Callable[[], Any]) -> Any:
        try:
            return method()
        except (ValidationError, DatabaseError):
            raise
        except Exception:
            raise ValidationError(SECOND_STEP_ERRORS["incorrect_code"], code="incorrect_code") from None


class AddPasskeyForm(_Hardened, AddWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """The form that adds a passkey."""

    name = forms.CharField(required=False, max_length=PASSKEY_NAME_LENGTH)

    def clean_credential(self) -> dict[str, Any]:
        """The credential as it was sent. Refuses an empty one, which allauth would save unchecked."""
        credential = self.cleaned_data["credential"]
        if not isinstance(credential, dict) or not credential:
            raise ValidationError(SECOND_STEP_ERRORS["incorrect_code"], code="incorrect_code")
        return credential

    def clean(self) -> dict[str, Any]:
        """Verify the credential that a device has made."""
        cleaned: dict[str, Any] = self._hardened(super().clean)
        return cleaned


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """The form that renames a passkey."""

    name = forms.CharField(max_length=PASSKEY_NAME_LENGTH)


class _Answer(_Hardened):
    def clean_credential(self) -> Any:
        try:
            return self._hardened(super().clean_credential)  # type: ignore[misc]
        except ValidationError as error:
            if error.code == "incorrect_code" and self._hardened(self._is_removed):
                raise ValidationError(SECOND_STEP_ERRORS["removed_passkey"]) from None
            raise

    def _is_removed(self) -> bool:
        """Whether the passkey that a device has presented no longer belongs to its account."""
        shown: dict[str, Any] = self.cleaned_data["credential"]  # type: ignore[attr-defined]
        number = url_str_to_user_pk(websafe_decode(shown["response"]["userHandle"]).decode())
        known = auth.get_authenticator_by_credential_id(User(pk=number), websafe_decode(shown["rawId"]))
        return known is None


class SecondStepPasskeyForm(_Answer, AuthenticateWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """A passkey after the password."""


class SignInPasskeyForm(_Answer, LoginWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """A passkey alone."""


class AgainPasskeyForm(_Answer, ReauthenticateWebAuthnForm):  # type: ignore[misc]  # allauth has no types
    """A passkey from somebody who is signed in."""
