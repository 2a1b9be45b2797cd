"""Django's entry for guests and users."""

from typing import Any, ClassVar

from django.apps import AppConfig


class Guests(AppConfig):
    """People with an account and without one."""

    name = "kakomi.server.accounts"
    label = "guests"
    periodic_jobs: ClassVar = {"kakomi.server.accounts.sessions.drop_old_sign_ins": 3600.0}

    def ready(self) -> None:
        """Hear of users who sign in."""
        from django.contrib.auth.signals import user_logged_in

        user_logged_in.connect(_become_user)


def _become_user(*, request: Any, user: Any, **_: object) -> None:
    from kakomi.server.accounts.middleware import become_user

    become_user(request, user)
