"""The texts of the pages and mails for signing in, by allauth's names."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True)
class FieldLook:
    """The appearance of a form field."""

    label: Text
    autocomplete: str
    """The input's `autocomplete` attribute."""
    kind: str = "text"
    """The input's `type` attribute."""
    help: Text = ""
    inputmode: str = ""


_NEW_PASSWORD: Final = _("At least 8 characters. A few unrelated words work best.")

FIELDS: Final = {
    "login": FieldLook(_("Username or email address"), "username webauthn"),
    "username": FieldLook(_("Username"), "username", help=_("Letters, digits and . + - _, without spaces.")),
    "password": FieldLook(_("Password"), "current-password", "password"),
    "oldpassword": FieldLook(_("Current password"), "current-password", "password"),
    "password1": FieldLook(_("New password"), "new-password", "password", _NEW_PASSWORD),
    "password2": FieldLook(_("Confirm new password"), "new-password", "password"),
    "email": FieldLook(_("Email address"), "email", "email"),
    "code": FieldLook(_("Code"), "one-time-code", inputmode="numeric"),
    "name": FieldLook(_("Passkey name"), "off", help=_("A name to recognise it by.")),
}
"""Field name -> its appearance."""

ERRORS: Final = {
    "account_inactive": _("This account has been closed by the moderators."),
    "cannot_remove_primary_email": _("Choose another main address first."),
    "duplicate_email": _("You’ve already added this address."),
    "email_local": _("This address’s domain doesn’t exist."),
    "email_password_mismatch": _("Wrong email address or password."),
    "email_taken": _("This address is already in use."),
    "enter_current_password": _("Wrong current password."),
    "incorrect_code": _("Wrong or expired code. Try again."),
    "incorrect_password": _("Wrong password."),
    "invalid_login": _("No account found."),
    "invalid_password_reset": _("This link has expired or has already been used. Request a new one."),
    "max_email_addresses": _("You can have up to %d addresses. Remove one first."),
    "rate_limited": _("Too many requests. Try again in a few minutes."),
    "too_many_login_attempts": _("Too many failed attempts. Try again in five minutes or use a passkey."),
    "unverified_primary_email": _("Confirm this address before making it your main one."),
    "username_alike": _("This name is too similar to an existing one. Choose another one."),
    "username_blacklisted": _("This name could be mistaken for a moderator. Choose another one."),
    "username_password_mismatch": _("Wrong username or password."),
    "username_taken": _("This name is taken. Choose another one."),
}
"""allauth's error code -> message."""

SECOND_STEP_ERRORS: Final = {
    "cannot_delete_authenticator": _("This can’t be turned off."),
    "cannot_generate_recovery_codes": _(
        "Set up a passkey or an authenticator app before creating recovery codes."
    ),
    "incorrect_code": _("Wrong or expired code. Try again."),
    "rate_limited": _("Too many requests. Try again in a few minutes."),
    "removed_passkey": _("This passkey was removed from its account. Delete it on your device as well."),
}
"""allauth's error code -> message, for passkeys, apps and recovery codes."""

MESSAGES: Final = {
    "account/messages/password_changed.txt": _("Password changed. All other browsers have been signed out."),
    "account/messages/password_set.txt": _("Password set."),
    "account/messages/email_confirmed.txt": _("{email} confirmed."),
    "account/messages/email_confirmation_failed.txt": _("{email} is already in use by another account."),
    "account/messages/email_confirmation_sent.txt": _("We’ve sent a confirmation link to {email}."),
    "account/messages/email_deleted.txt": _("{email} removed."),
    "account/messages/cannot_delete_primary_email.txt": _("Choose another main address first."),
    "account/messages/unverified_primary_email.txt": _(
        "Confirm this address before making it your main one."
    ),
    "account/messages/primary_email_set.txt": _("Main address changed."),
    "mfa/messages/webauthn_added.txt": _("Passkey added."),
    "mfa/messages/webauthn_removed.txt": _("Passkey removed. Delete it on your device as well."),
    "mfa/messages/totp_activated.txt": _("Authenticator app added."),
    "mfa/messages/totp_deactivated.txt": _("Authenticator app removed."),
    "mfa/messages/recovery_codes_generated.txt": _("Here are your recovery codes. Keep them safe."),
}
"""allauth's message template -> message on the next page. Others aren't shown."""

NOTIFICATIONS: Final = {
    "account/email/password_changed": _("Your password has been changed."),
    "account/email/password_reset": _("Your password has been reset using a link in an email."),
    "account/email/password_set": _("A password has been set for your account."),
    "account/email/email_changed": _("Your main address has changed from {from_email} to {to_email}."),
    "account/email/email_deleted": _("{deleted_email} has been removed from your account."),
    "mfa/email/webauthn_added": _("A passkey has been added to your account."),
    "mfa/email/webauthn_removed": _("A passkey has been removed from your account."),
    "mfa/email/totp_activated": _("An authenticator app has been added to your account."),
    "mfa/email/totp_deactivated": _("The authenticator app has been removed from your account."),
    "mfa/email/recovery_codes_generated": _(
        "Your account has new recovery codes; the old ones no longer work."
    ),
}
"""allauth's mail template -> sentence that tells the account's owner what has happened."""
