"""The sender of a request, found without a query to the database."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import parse_cookie

from kakomi.server.accounts.sessions import GUEST_KEY
from kakomi.server.asgi_types import Scope

_TOKEN_LENGTH = 64
_SESSIONS = 10_000


@dataclass(frozen=True)
class ClientId:
    """An address and, with a session or a token, the guest behind it."""

    address: str
    guest: Hashable = None
    """Not yet known to exist. Invented tokens still count against the limits of their address."""

    @staticmethod
    def of(scope: Scope) -> "ClientId":
        """The sender of an ASGI request."""
        return ClientId(_network(scope), _bearer(scope) or _guest(scope))


def header(scope: Scope, name: bytes) -> str:
    """A header of a request; empty if it has none."""
    found = next((value for key, value in scope["headers"] if key == name), b"")
    return str(found.decode("latin-1"))


def _network(scope: Scope) -> str:
    """The address, for IPv6 its network: the owner of one address has 2**64."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _bearer(scope: Scope) -> str:
    scheme, _, token = header(scope, b"authorization").partition(" ")
    return token.strip()[:_TOKEN_LENGTH] if scheme.lower() == "bearer" else ""


def _guest(scope: Scope) -> int | None:
    cookies = "; ".join(value.decode("latin-1") for key, value in scope["headers"] if key == b"cookie")
    cookie = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    return _guest_of_session(cookie) if cookie else None


@lru_cache(maxsize=_SESSIONS)
def _guest_of_session(cookie: str) -> int | None:
    """Remembered: to check a signature costs as much as all else that is looked at before a page is made."""
    number = SessionStore(cookie).get(GUEST_KEY)
    return number if isinstance(number, int) else None
