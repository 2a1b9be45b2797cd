"""For whom a program's request acts: a token, or the session of a page of ours.

Every operation says by what scope: `auth=guests("play")`, or `auth=anyone("read")` where nobody has to be
known. `auth=None` says that nobody is asked for.
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
from kakomi.server.exceptions import Denied

ANYBODY: Final = object()
"""The user that ninja sees where nobody has to sign in."""


class Token(HttpBearer):
    """`Authorization: Bearer TOKEN`. No browser sends that by itself, so no other site can make one do it."""

    def __init__(self, scope: str) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Guest | None:
        """The guest of a token. Raises Denied if it lacks the operation's scope, or is good no more."""
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
    """The token of a private link does all that its guest may, as long as they have no account."""
    guest = Guest.objects.filter(token=token).first()
    if guest is not None and guest.handle is not None:
        raise Denied("who", gettext("this guest has an account: make a token on its page, and use that"))
    return guest


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


def guests(scope: str) -> list[Callable[..., Any]]:
    """Whoever is known: by a token with a scope, which a session has no need of."""
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope!r}: there are {', '.join(SCOPES)}")
    return [Token(scope), Session()]


def anyone(scope: str) -> list[Callable[..., Any]]:
    """Everybody. Who sends a token is known by it, and it has to have the scope."""
    return [*guests(scope), anybody]


def guest_behind(request: HttpRequest) -> Guest | None:
    """The guest of a request to the API; None for a spectator."""
    guest = request.auth  # type: ignore[attr-defined]
    return guest if isinstance(guest, Guest) else None


def asking_guest(request: HttpRequest) -> Guest:
    """The guest for whom a request acts, in an operation that lets in nobody else: `auth=guests(...)`."""
    guest = guest_behind(request)
    assert guest is not None
    return guest


def token_behind(request: HttpRequest) -> ApiToken | None:
    """The token that came with a request to the API, if it is one that somebody made."""
    return getattr(request, "api_token", None)


def name_scopes(api: NinjaAPI) -> None:
    """Have the API's document say, as `x-scope`, which scope the token of each operation needs.

    OpenAPI has no place for those of bearer tokens.
    """
    for _, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                checks = operation.auth_param if isinstance(operation.auth_param, list) else ()
                for check in checks:
                    if isinstance(check, Token):
                        operation.openapi_extra = {**(operation.openapi_extra or {}), "x-scope": check.scope}
