"""Limits on the rate of requests, by a sender determined without a database query."""

import math
import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic

from cachetools import LRUCache
from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import parse_cookie
from django.urls import Resolver404, resolve

from kakomi.server.accounts.sessions import GUEST_KEY
from kakomi.server.site.django_private import Scope

_TOKEN_LENGTH = 64
_SESSIONS = 10_000


@dataclass(frozen=True)
class ClientId:
    """An address and, for a session or a token, the guest or the token."""

    address: str
    guest: Hashable = None
    """Not verified to exist. Requests with made-up tokens still count against the limits of their address."""

    @staticmethod
    def of(scope: Scope) -> "ClientId":
        """The sender of an ASGI request."""
        return ClientId(_network(scope), _bearer(scope) or _guest(scope))


def header(scope: Scope, name: bytes) -> str:
    """A header of a request; empty if it is missing."""
    found = next((value for key, value in scope["headers"] if key == name), b"")
    return str(found.decode("latin-1"))


def _network(scope: Scope) -> str:
    """The address; for IPv6 its /64 network, as the owner of an address usually has them all."""
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
    """Cached, as checking a signature takes as long as everything else before rendering a page."""
    number = SessionStore(cookie).get(GUEST_KEY)
    return number if isinstance(number, int) else None


MOST_BUCKETS = 100_000
"""The most buckets in memory, as attackers may have many addresses; the least recently used are dropped."""


class RateLimiter:
    """A token bucket for each sender, which holds a minute's allowance when it is full."""

    def __init__(self, most: int = MOST_BUCKETS, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._full_at: LRUCache[Hashable, float] = LRUCache(most)
        """Sender -> when the bucket will be full again."""

    def take(self, who: Hashable, per_minute: int) -> int:
        """Take a token. Returns 0 on success, else the number of seconds to wait for one."""
        now, drop = self._now(), 60 / per_minute
        full_at = max(self._full_at.get(who, now), now)
        wait = max(0, math.ceil(round(full_at + drop - now - 60, 6)))
        self._full_at[who] = full_at if wait else full_at + drop
        return wait

    def __len__(self) -> int:
        return len(self._full_at)


ADDRESS_FACTOR = 5
"""How many times the limit of one guest applies to an address, as families and schools share one."""

PER_MINUTE = {
    "looks": 1_200,  # pages are fetched again with every action of a quick game
    "acts": 600,
    "tables": 20,
    "guests": 10,
    "joins": 30,
    "uploads": 20,
    "downloads": 30,
    "films": 4,  # that of a long game takes seconds to draw
    "analyses": 60,
    "signins": 10,
    "posts": 120,
}
"""Kind of request -> how many a guest may send per minute, by default."""

LISTENERS = 20
"""The number of event streams that a guest may have open, by default."""

KINDS = {
    "act": "acts",
    "coach": "acts",  # a position takes about ten
    "sign_of_life": "looks",
    "lobby_here": "looks",
    "lobby_new": "tables",
    "lobby_play": "tables",
    "begin": "tables",
    "join": "joins",
    "analysis_upload": "uploads",
    "study_game_analysis": "analyses",
    "my_data": "signins",
    "account_login": "signins",
    "account_signup": "signins",
    "account_reset_password": "signins",
    "account_reset_password_from_key": "signins",
    "account_reauthenticate": "signins",
    "account_change_password": "signins",
    "mfa_login_webauthn": "signins",
    "mfa_authenticate": "signins",
    "mfa_activate_totp": "signins",
    "mfa_reauthenticate": "signins",
    "mfa_reauthenticate_webauthn": "signins",
    "api:act": "acts",
    "api:tables": "tables",
    "api:guests": "guests",
    "api:join": "joins",
}
"""Name of a URL -> the kind of a POST to it; other POSTs are "posts"."""

COSTLY = {
    "api:my_archive": "downloads",
    "download_games": "downloads",
    "my_archive": "downloads",
    "study_engine": "analyses",
    "study_download": "downloads",
    "study_film": "films",
    "study_png": "downloads",
    "position_png": "downloads",
    "table_png": "downloads",
    "mfa_login_webauthn": "posts",  # saves a challenge
}
"""Name of a URL -> the kind of a GET, if it costs more than a page."""

STREAMS = frozenset(
    {
        *("events", "api_events", "lobby_events", "api_lobby_events", "tournament_events"),
        *("study_engine", "download_games"),
    }
)
"""Names of URLs whose responses are endless, or as long as there are games."""

PURPOSES = 10_000
"""The number of URLs whose purposes are cached, as resolving one takes as long as the rest of the checks."""

UNCOUNTED = ("/static/", "/healthz", "/readyz")
"""Path prefixes without limits: files, which cost nothing, and health checks."""


@dataclass(frozen=True)
class Limits:
    """The limits in force. Raises ValueError for impossible ones."""

    per_minute: Mapping[str, int] = field(default_factory=lambda: dict(PER_MINUTE))
    listeners: int = LISTENERS
    is_on: bool = True

    @staticmethod
    def of(text: str) -> "Limits":
        """Parse `off`, or changes to the defaults: `acts=6000, listeners=2000`. Raises ValueError."""
        if text.strip() == "off":
            return Limits(is_on=False)
        chosen: dict[str, int] = {"listeners": LISTENERS, **PER_MINUTE}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, _, number = (piece.strip() for piece in part.partition("="))
            if name not in chosen or not number.isascii() or not number.isdigit() or int(number) < 1:
                raise ValueError(
                    f"KAKOMI_LIMITS: {part!r} should be one of {', '.join(chosen)}, "
                    "then = and a number of 1 or more; or the whole should be: off"
                )
            chosen[name] = int(number)
        return Limits(listeners=chosen.pop("listeners"), per_minute=chosen)


def limits_here() -> Limits:
    """The limits in the environment variable `KAKOMI_LIMITS`. Raises ValueError if it can't be parsed."""
    return Limits.of(os.environ.get("KAKOMI_LIMITS", ""))


@dataclass(frozen=True)
class Purpose:
    """The purpose of a request, which determines its limits."""

    kind: str
    """A key of `PER_MINUTE`; empty if it isn't counted."""
    is_stream: bool = False
    makes_guests: bool = False
    """Whether the request may create a guest."""

    @staticmethod
    @lru_cache(maxsize=PURPOSES)
    def of(method: str, path: str) -> "Purpose":
        """Determine the purpose only by method and path, as nothing else has been read yet."""
        if path.startswith(UNCOUNTED):
            return Purpose("")
        try:
            name = resolve(path).view_name
        except Resolver404:
            name = ""
        if method in ("GET", "HEAD", "OPTIONS"):
            return Purpose(COSTLY.get(name, "looks"), name in STREAMS)
        return Purpose(KINDS.get(name, "posts"), name in STREAMS, makes_guests=True)
