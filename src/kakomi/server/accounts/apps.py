"""Three Django apps: guests and users, allauth's models, and the admin."""

from typing import Any, ClassVar

from allauth.account.apps import AccountConfig
from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig


class Accounts(AppConfig):
    """People with and without an account."""

    name = "kakomi.server.accounts"
    default = True
    label = "accounts"
    periodic_jobs: ClassVar = {"kakomi.server.accounts.sessions.drop_old_sign_ins": 3600.0}

    def ready(self) -> None:
        """Connect the receiver for users who sign in."""
        from django.contrib.auth.signals import user_logged_in

        user_logged_in.connect(_become_user)


def _become_user(*, request: Any, user: Any, **_: object) -> None:
    from kakomi.server.accounts.middleware import become_user

    become_user(request, user)


class SigningIn(AccountConfig):  # type: ignore[misc]  # allauth has no types
    """allauth's app for addresses, passwords and forms. `sign_in_urls.py` applies its middleware."""

    def ready(self) -> None:
        """Do nothing: the original requires the middleware in the settings."""


class Administration(SimpleAdminConfig):
    """Django's admin with our own admin site."""

    default_site = "kakomi.server.accounts.administration.StaffSite"
