"""API tokens: made once, shown once, kept as digests, looked up by each request of a program."""

import hashlib
import secrets
from collections.abc import Iterable
from contextlib import suppress

from django.db import OperationalError
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.server import clock
from kakomi.server.accounts.models import ApiToken, Guest, User
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery
from kakomi.server.exceptions import Denied
from kakomi.session import Refused

PREFIX = "kakomi_"
"""By this people, and programs that look for secrets in public places, know a token of ours."""
MOST_TOKENS = 30
"""Of one user."""
DAY = 86_400.0
USE_NOTED_EVERY = 300.0
"""Seconds between two notes that a token is in use: not every request writes."""

_TOKEN = PreparedQuery(lambda digest: ApiToken.objects.filter(digest=digest))
_OWNER = PreparedQuery(lambda user: Guest.objects.filter(user=user, user__is_active=True))


def make_token(user: User, name: str, scopes: Iterable[str], days: int | None = None) -> tuple[ApiToken, str]:
    """A new token of a user and its text, which nobody can find out afterwards.

    With None for `days` it doesn't expire. Raises Refused for a name that is taken, for no scopes, and for
    too many tokens.
    """
    name, allowed = name.strip(), known_scopes(scopes)
    if not name or not allowed:
        raise Refused(lazy_message("give the token a name, and allow it something"))
    text = PREFIX + secrets.token_urlsafe(32)
    with writing():
        User.objects.select_for_update().get(pk=user.pk)  # one after the other
        if user.tokens.filter(name=name).exists():
            raise Refused(lazy_message("you have a token of this name already: choose another name"))
        if user.tokens.count() >= MOST_TOKENS:
            raise Refused(
                lazy_message("you have {most} tokens: end one that you don’t need", most=MOST_TOKENS)
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
    """What is kept of a token. It has 256 bits of chance, so a plain digest can't be turned round."""
    return hashlib.sha256(text.encode()).hexdigest()


def token_of(text: str) -> ApiToken:
    """The token of a text. Raises Denied (401) if there is none, or none any more."""
    token = _TOKEN.first(digest_of(text))
    if token is None:
        raise Denied("who", gettext("this token is not known here: it may have been ended"))
    if token.expires_at is not None and token.expires_at <= clock.now():
        raise Denied("who", gettext("this token has expired: make a new one"))
    return token


def owner_of(token: ApiToken) -> Guest:
    """For whom a token acts. Raises Denied (401) if they may not sign in."""
    guest = _OWNER.first(token.user_id)
    if guest is None:
        raise Denied("who", gettext("the account of this token is closed"))
    return guest


def expect_scope(scopes: Iterable[str], wanted: str) -> None:
    """Raises Denied (403) if a scope is missing."""
    if wanted not in scopes:
        said = gettext("this token lacks the scope “{scope}”: use one that has it")
        raise Denied("scope", said.format(scope=wanted), scope=wanted)


def note_use(token: ApiToken) -> None:
    """Note that a token is in use, unless that was noted a moment ago. A full disk keeps nobody out."""
    now = clock.now()
    before = Q(used_at=None) | Q(used_at__lt=now - USE_NOTED_EVERY)
    if token.used_at is None or token.used_at < now - USE_NOTED_EVERY:
        with suppress(OperationalError), writing():
            ApiToken.objects.filter(before, pk=token.pk).update(used_at=now)


SCOPES = {
    "read": gettext_lazy("see your name, your games and your studies"),
    "play": gettext_lazy("open games, sit down and play for you, and answer puzzles"),
    "lobby": gettext_lazy("make and answer seeks and challenges for you"),
    "study": gettext_lazy("change your studies, and list them"),
    "messages": gettext_lazy("read your messages, and write to people for you"),
    "notices": gettext_lazy("read your notices, and choose how you are told"),
    "account": gettext_lazy("take home all your data"),
}
"""Scope -> what it allows, in words that follow "may"."""


def known_scopes(wanted: Iterable[str]) -> list[str]:
    """Those that there are, in the order in which they are shown."""
    chosen = set(wanted)
    return [scope for scope in SCOPES if scope in chosen]
