"""People with accounts, for tests."""

from typing import Any

from django.conf import settings
from django.test import Client

from kakomi.server.accounts.models import Guest, User


def make_user(username: str, name: str = "", **fields: Any) -> User:
    """Create a user with a guest."""
    guest = Guest.objects.create(name=name or username.capitalize())
    return User.objects.create(username=username, guest=guest, **fields)


def signed_in(user: User) -> Client:
    """A browser in which a user has signed in."""
    client = Client()
    client.force_login(user)
    session = client.session
    session["guest"] = user.guest_id
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client
