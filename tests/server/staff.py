"""Staff members with permissions, and their browsers."""

import time

from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client

from kakomi.server.accounts.models import User
from server.people import make_user, signed_in


def make_staff(name: str, *permissions: str) -> User:
    """Create a staff member with moderation permissions (`moderate`, `erase`)."""
    user = make_user(name, is_staff=True)
    user.user_permissions.set(
        Permission.objects.filter(content_type__app_label="moderation", codename__in=permissions)
    )
    return User.objects.get(pk=user.pk)


def at_work(user: User, seconds_ago: float = 0) -> Client:
    """A browser in which a staff member signed in `seconds_ago`."""
    client = signed_in(user)
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": time.time() - seconds_ago}]
    session["account_authentication_methods_user"] = str(user.pk)
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client
