"""What the pages and mails for signing in say, in one place: allauth asks for it by its own names."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise


@dataclass(frozen=True)
class FieldLook:
    """How a field of a form is shown."""

    label: Text
    autocomplete: str
    """What browsers and password managers may fill in."""
    kind: str = "text"
    """The input's type."""
    help: Text = ""
    inputmode: str = ""


_NEW_PASSWORD: Final = _("Eight characters or more. A few words that don't belong together are best.")

FIELDS: Final = {
    "login": FieldLook(_("Name or mail address"), "username webauthn"),
    "username": FieldLook(
        _("Name to sign in with"), "username", help=_("Letters, digits and . + - _, without spaces.")
    ),
    "password": FieldLook(_("Password"), "current-password", "password"),
    "oldpassword": FieldLook(_("The password so far"), "current-password", "password"),
    "password1": FieldLook(_("New password"), "new-password", "password", _NEW_PASSWORD),
    "password2": FieldLook(_("The new password once more"), "new-password", "password"),
    "email": FieldLook(_("Mail address"), "email", "email"),
    "code": FieldLook(_("Code"), "one-time-code", inputmode="numeric"),
    "name": FieldLook(_("Name of this passkey"), "off", help=_("So that you can tell it from others.")),
}
"""Name of a field -> its look."""

ERRORS: Final = {
    "account_inactive": _("This account has been closed by the site's staff."),
    "cannot_remove_primary_email": _("Choose another main address first."),
    "duplicate_email": _("You have added this address already."),
    "email_local": _("This address leads to no machine on the internet."),
    "email_password_mismatch": _("This address and this password don't belong together."),
    "email_taken": _("Somebody has this address already."),
    "enter_current_password": _("This is not your password so far."),
    "incorrect_code": _("This was not right, or too late. Please try again."),
    "incorrect_password": _("This is not your password."),
    "invalid_login": _("Nobody signs in like this."),
    "invalid_password_reset": _("This link has been used already, or it is too old. Ask for another one."),
    "max_email_addresses": _("You can have %d addresses; remove one first."),
    "rate_limited": _("That was a little too much at once. Please wait a few minutes."),
    "too_many_login_attempts": _("Too many attempts failed. Try again in five minutes, or use a passkey."),
    "unverified_primary_email": _("Only a confirmed address can be the main one."),
    "username_alike": _("Somebody’s name looks like this one. Please choose another one."),
    "username_blacklisted": _("This name could be taken for the site's staff. Please choose another one."),
    "username_password_mismatch": _("This name and this password don't belong together."),
    "username_taken": _("Somebody signs in with this name already. Please choose another one."),
}
"""allauth's name of a mistake -> what to say."""

SECOND_STEP_ERRORS: Final = {
    "cannot_delete_authenticator": _("This can't be switched off."),
    "cannot_generate_recovery_codes": _("Recovery codes need a passkey or an authenticator app first."),
    "incorrect_code": _("This was not right, or too late. Please try again."),
    "rate_limited": _("That was a little too much at once. Please wait a few minutes."),
    "removed_passkey": _("This passkey was removed from its account. Delete it on your device as well."),
}
"""Likewise for passkeys, apps and recovery codes."""

MESSAGES: Final = {
    "account/messages/password_changed.txt": _("You have a new password. All other browsers are signed out."),
    "account/messages/password_set.txt": _("You have a password now."),
    "account/messages/email_confirmed.txt": _("The address {email} is confirmed."),
    "account/messages/email_confirmation_failed.txt": _("Somebody else has confirmed {email} already."),
    "account/messages/email_confirmation_sent.txt": _(
        "A mail with a link to confirm is on its way to {email}."
    ),
    "account/messages/email_deleted.txt": _("The address {email} is removed."),
    "account/messages/cannot_delete_primary_email.txt": _("Choose another main address first."),
    "account/messages/unverified_primary_email.txt": _("Only a confirmed address can be the main one."),
    "account/messages/primary_email_set.txt": _("You have another main address."),
    "mfa/messages/webauthn_added.txt": _("The passkey works from now on."),
    "mfa/messages/webauthn_removed.txt": _("The passkey is removed here. Delete it on your device as well."),
    "mfa/messages/totp_activated.txt": _("The authenticator app works from now on."),
    "mfa/messages/totp_deactivated.txt": _("The authenticator app is no longer asked for."),
    "mfa/messages/recovery_codes_generated.txt": _("These are your recovery codes. Keep them safe."),
}
"""allauth's template of a message -> what a page says next. Others are not said."""

NOTIFICATIONS: Final = {
    "account/email/password_changed": _("Your password has been changed."),
    "account/email/password_reset": _("Your password has been replaced by a link in a mail."),
    "account/email/password_set": _("Your account has a password now."),
    "account/email/email_changed": _("Your main address is now {to_email}, no longer {from_email}."),
    "account/email/email_deleted": _("The address {deleted_email} has been removed from your account."),
    "mfa/email/webauthn_added": _("A passkey has been added to your account."),
    "mfa/email/webauthn_removed": _("A passkey has been removed from your account."),
    "mfa/email/totp_activated": _("An authenticator app has been added to your account."),
    "mfa/email/totp_deactivated": _("The authenticator app has been removed from your account."),
    "mfa/email/recovery_codes_generated": _(
        "Your account has new recovery codes; the old ones no longer work."
    ),
}
"""allauth's template of a mail -> what it tells the owner of the account has happened."""
