"""API tokens: shown once when they are made, stored as digests, looked up by each request of a program."""

import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress

from django.db import OperationalError
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.server.accounts.models import ApiToken, Guest, User
from kakomi.server.site import clock
from kakomi.server.site.database import writing
from kakomi.server.site.django_private import PreparedQuery
from kakomi.server.site.exceptions import Denied
from kakomi.session import Refused

PREFIX = "kakomi_"
"""Makes our tokens recognizable to people and to secret scanners."""
MOST_TOKENS = 30
"""The most tokens of one user."""
DAY = 86_400.0
USE_NOTED_EVERY = 300.0
"""The precision of `used_at` in seconds, so that not every request writes to the database."""

_TOKEN = PreparedQuery(lambda digest: ApiToken.objects.filter(digest=digest))
_OWNER = PreparedQuery(lambda user: Guest.objects.filter(user=user, user__is_active=True))


def make_token(user: User, name: str, scopes: Iterable[str], days: int | None = None) -> tuple[ApiToken, str]:
    """Make a token for a user. Return it with its text, which can't be recovered afterwards.

    It doesn't expire if `days` is None. Raises Refused for a missing or taken name, no scopes, or too many
    tokens.
    """
    name, allowed = name.strip(), known_scopes(scopes)
    if not name or not allowed:
        raise Refused(lazy_message("give the token a name and at least one permission"))
    text = PREFIX + secrets.token_urlsafe(32)
    with writing():
        User.objects.select_for_update().get(pk=user.pk)  # serializes the checks
        if user.tokens.filter(name=name).exists():
            raise Refused(lazy_message("you already have a token with this name: choose another name"))
        if user.tokens.count() >= MOST_TOKENS:
            raise Refused(
                lazy_message("you already have {most} tokens: revoke one you don’t need", most=MOST_TOKENS)
            )
        now = clock.now()
        token = user.tokens.create(
            name=name,
            digest=digest_of(text),
            ending=text[-4:],
            scopes=allowed,
            created_at=now,
            expires_at=None if days is None else now + days * DAY,
        )
    return token, text


def digest_of(text: str) -> str:
    """The digest of a token. With 256 random bits, a plain hash can't be inverted."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_of(text: str) -> ApiToken:
    """The token with a text. Raises Denied (401) if there is none or it has expired."""
    token = _TOKEN.first(digest_of(text))
    if token is None:
        raise Denied("who", gettext("unknown token: it may have been revoked"))
    if token.expires_at is not None and token.expires_at <= clock.now():
        raise Denied("who", gettext("this token has expired: create a new one"))
    return token


def owner_of(token: ApiToken) -> Guest:
    """The guest for whom a token acts. Raises Denied (401) if they may not sign in."""
    guest = _OWNER.first(token.user_id)
    if guest is None:
        raise Denied("who", gettext("this token’s account is closed"))
    return guest


def expect_scope(scopes: Iterable[str], wanted: str) -> None:
    """Raise Denied (403) if a scope is missing."""
    if wanted not in scopes:
        said = gettext("this token lacks the scope “{scope}”")
        raise Denied("scope", said.format(scope=wanted), scope=wanted)


def note_use(token: ApiToken) -> None:
    """Update a token's `used_at`, unless it is recent. Does nothing if the disk is full."""
    now = clock.now()
    before = Q(used_at=None) | Q(used_at__lt=now - USE_NOTED_EVERY)
    if token.used_at is None or token.used_at < now - USE_NOTED_EVERY:
        with suppress(OperationalError), writing():
            ApiToken.objects.filter(before, pk=token.pk).update(used_at=now)


SCOPES = {
    "read": gettext_lazy("see your name, games and studies"),
    "play": gettext_lazy("create, join and play games and solve puzzles for you"),
    "lobby": gettext_lazy("create and answer challenges for you"),
    "study": gettext_lazy("change and publish your studies"),
    "messages": gettext_lazy("read and send messages for you"),
    "notices": gettext_lazy("read your notifications and change their settings"),
    "account": gettext_lazy("download all your data"),
}
"""Scope -> what it allows, in words that complete "It may …"."""


def known_scopes(wanted: Iterable[str]) -> list[str]:
    """Those of the wanted scopes that exist, in display order."""
    chosen = set(wanted)
    return [scope for scope in SCOPES if scope in chosen]
