"""Authentication of API requests: by a token, or by the session of one of the site's pages.

Every operation states the scope that it requires: `auth=guests("play")`, or `auth=anyone("read")` if
authentication is optional. `auth=None` means no authentication.
"""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext
from ninja import NinjaAPI
from ninja.security import APIKeyCookie, HttpBearer

from kakomi.server.accounts import tokens
from kakomi.server.accounts.middleware import guest_of
from kakomi.server.accounts.models import ApiToken, Guest
from kakomi.server.accounts.tokens import SCOPES
from kakomi.server.site.exceptions import Denied

ANYBODY: Final = object()
"""The value of `request.auth` for requests without authentication."""


class Token(HttpBearer):
    """`Authorization: Bearer TOKEN`. It needs no CSRF protection, as browsers never send it by themselves."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Guest | None:
        """The guest of a token. Raises Denied if it lacks the operation's scope or is no longer valid."""
        if not token.isascii() or "\0" in token:
            return None
        if token.startswith(tokens.PREFIX):
            return _guest_of_token(request, token, self.scope)
        return _guest_without_account(token)


def _guest_of_token(request: HttpRequest, text: str, scope: str) -> Guest:
    token = tokens.token_of(text)
    tokens.expect_scope(token.scopes, scope)
    guest = tokens.owner_of(token)
    tokens.note_use(token)
    request.api_token = token  # type: ignore[attr-defined]
    return guest


def _guest_without_account(token: str) -> Guest | None:
    """The guest of a private link's token, which has all scopes. Raises Denied for guests with an account."""
    guest = Guest.objects.filter(token=token).first()
    if guest is not None and guest.handle is not None:
        raise Denied("who", gettext("you have an account: create a token on your account page and use that"))
    return guest


class Session(APIKeyCookie):
    """The session cookie of the site's pages, with the CSRF token that Django requires."""

    def __init__(self) -> None:
        self.param_name = settings.SESSION_COOKIE_NAME
        super().__init__()

    def _get_key(self, request: HttpRequest) -> str | None:
        """The session cookie. Without one, CSRF isn't checked, so that the response is 401 and not 403."""
        return super()._get_key(request) if self.param_name in request.COOKIES else None

    def authenticate(self, request: HttpRequest, key: str | None) -> Guest | None:
        """The guest of the session."""
        return guest_of(request) if key else None


def anybody(request: HttpRequest) -> object:
    """Any visitor."""
    return ANYBODY


def guests(scope: str) -> list[Callable[..., Any]]:
    """Authentication for guests, by a token with this scope or by a session, which needs no scope."""
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope!r}: there are {', '.join(SCOPES)}")
    return [Token(scope), Session()]


def anyone(scope: str) -> list[Callable[..., Any]]:
    """Optional authentication. A token, if sent, must have the scope."""
    return [*guests(scope), anybody]


def optional_guest(request: HttpRequest) -> Guest | None:
    """The guest of a request to the API; None for a spectator."""
    guest = request.auth  # type: ignore[attr-defined]
    return guest if isinstance(guest, Guest) else None


def required_guest(request: HttpRequest) -> Guest:
    """The guest for whom a request acts, in an operation with `auth=guests(...)`."""
    guest = optional_guest(request)
    assert guest is not None
    return guest


def api_token_of(request: HttpRequest) -> ApiToken | None:
    """The token of a request to the API; None for a session or the token of a private link."""
    return getattr(request, "api_token", None)


def name_scopes(api: NinjaAPI) -> None:
    """Add the scope that each operation requires to the OpenAPI document, as `x-scope`.

    OpenAPI has no standard field for scopes of bearer tokens.
    """
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                checks = operation.auth_param if isinstance(operation.auth_param, list) else ()
                for check in checks:
                    if isinstance(check, Token):
                        operation.openapi_extra = {**(operation.openapi_extra or {}), "x-scope": check.scope}
