"""For whom a program's request acts: a guest's token, or the session of a page of ours."""

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer

from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import Guest

ANYBODY: Final = object()
"""The user that ninja sees where nobody has to sign in."""


class Token(HttpBearer):
    """`Authorization: Bearer TOKEN`. No browser sends that by itself, so no other site can make one do it."""

    def authenticate(self, request: HttpRequest, token: str) -> Guest | None:
        """The guest with a token."""
        return Guest.objects.filter(token=token).first() if token.isascii() and "\0" not in token else None


class Session(APIKeyCookie):
    """The session cookie of the site's pages, with the CSRF token that Django requires."""

    def __init__(self) -> None:
        self.param_name = settings.SESSION_COOKIE_NAME
        super().__init__()

    def _get_key(self, request: HttpRequest) -> str | None:
        """Without a session there is nothing to forge: the answer is then 401 and not 403."""
        return super()._get_key(request) if self.param_name in request.COOKIES else None

    def authenticate(self, request: HttpRequest, key: str | None) -> Guest | None:
        """The guest of the session."""
        return guest_of(request) if key else None


def anybody(request: HttpRequest) -> object:
    """Any visitor."""
    return ANYBODY


GUESTS: list[Any] = [Token(), Session()]
SPECTATORS: list[Any] = [*GUESTS, anybody]


def guest_behind(request: HttpRequest) -> Guest | None:
    """The guest of a request to the API; None for a spectator."""
    guest = request.auth  # type: ignore[attr-defined]
    return guest if isinstance(guest, Guest) else None
