"""Rate limits: the kinds of requests, how many of each are allowed, and the count."""

import math
import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from time import monotonic

from cachetools import LRUCache
from django.urls import Resolver404, resolve

MOST_BUCKETS = 100_000
"""Strangers can have more addresses than we have memory. The least recently seen are forgotten."""


class RateLimiter:
    """One bucket for everybody who does something, holding a minute's worth when it is full."""

    def __init__(self, most: int = MOST_BUCKETS, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._full_at: LRUCache[Hashable, float] = LRUCache(most)
        """Sender -> the moment when the bucket will be full again."""

    def take(self, who: Hashable, per_minute: int) -> int:
        """Take one out; 0 if that could be done, else in how many seconds it can."""
        now, drop = self._now(), 60 / per_minute
        full_at = max(self._full_at.get(who, now), now)
        wait = max(0, math.ceil(round(full_at + drop - now - 60, 6)))
        self._full_at[who] = full_at if wait else full_at + drop
        return wait

    def __len__(self) -> int:
        return len(self._full_at)


ADDRESS_FACTOR = 5
"""An address may do so many times what one guest may: families and schools share one."""

PER_MINUTE = {
    "looks": 1_200,  # a page of a quick game is fetched again with every action
    "acts": 600,
    "tables": 20,
    "guests": 10,
    "joins": 30,
    "uploads": 20,
    "downloads": 30,
    "films": 4,  # one of a long game takes seconds to draw
    "analyses": 60,
    "signins": 10,
    "posts": 120,
}
"""Kind of request -> how many a guest may send a minute, if the environment says nothing else."""

LISTENERS = 20
"""The number of event streams that one guest may keep open, by default."""

KINDS = {
    "act": "acts",
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
"""Name of an address -> what a POST to it is; other POSTs are "posts"."""

COSTLY = {
    "api:my_archive": "downloads",
    "coach": "analyses",
    "download_games": "downloads",
    "my_archive": "downloads",
    "study_engine": "analyses",
    "study_download": "downloads",
    "study_film": "films",
    "study_png": "downloads",
    "position_png": "downloads",
    "table_png": "downloads",
    "mfa_login_webauthn": "posts",  # keeps a challenge
}
"""Name of an address -> what looking at it is, where it costs more than a page."""

STREAMS = frozenset(
    {
        *("events", "api_events", "lobby_events", "api_lobby_events", "tournament_events"),
        *("coach", "study_engine", "download_games"),
    }
)
"""Names of addresses that answer without end, or for as long as there are games."""

PURPOSES = 10_000
"""Addresses whose purposes are remembered: to find one takes as long as all else that is counted."""

UNCOUNTED = ("/static/", "/healthz", "/readyz")
"""Files, which cost nothing, and what programs ask for all day."""


@dataclass(frozen=True)
class Limits:
    """The limits in force. Raises ValueError for impossible ones."""

    per_minute: Mapping[str, int] = field(default_factory=lambda: dict(PER_MINUTE))
    listeners: int = LISTENERS
    is_on: bool = True

    @staticmethod
    def of(text: str) -> "Limits":
        """`off`, or numbers that differ from ours: `acts=6000, listeners=2000`."""
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
    """The limits of `KAKOMI_LIMITS`. Raises ValueError if it can't be parsed."""
    return Limits.of(os.environ.get("KAKOMI_LIMITS", ""))


@dataclass(frozen=True)
class Purpose:
    """The purpose of a request, for limits."""

    kind: str
    """A key of `PER_MINUTE`; empty: it isn't counted."""
    is_stream: bool = False
    makes_guests: bool = False
    """Whether the request may create a guest."""

    @staticmethod
    @lru_cache(maxsize=PURPOSES)
    def of(method: str, path: str) -> "Purpose":
        """By address and method alone: nothing that was sent has been read yet."""
        if path.startswith(UNCOUNTED):
            return Purpose("")
        try:
            name = resolve(path).view_name
        except Resolver404:
            name = ""
        if method in ("GET", "HEAD", "OPTIONS"):
            return Purpose(COSTLY.get(name, "looks"), name in STREAMS)
        return Purpose(KINDS.get(name, "posts"), name in STREAMS, makes_guests=True)
