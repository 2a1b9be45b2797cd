"""Browser sessions: who is signed in, when they last authenticated, and which sign-ins to drop."""

import contextlib
import json
import secrets
import time
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.signed_cookies import SessionStore as SignedCookies
from django.core import signing
from django.db import OperationalError
from django.http import HttpRequest
from django.utils import timezone

from kakomi.server.accounts.models import SignIn
from kakomi.server.site.database import writing
from kakomi.server.site.django_private import PreparedQuery

SIGN_IN_SECONDS = 12 * 3600
"""How long an authentication is valid for staff pages, in seconds; sign-ins last for a year."""


def has_shown_lately(request: HttpRequest) -> bool:
    """Whether the user of a request has authenticated within `SIGN_IN_SECONDS`."""
    return 0 <= time.time() - _shown_at(request) < SIGN_IN_SECONDS


def _shown_at(request: HttpRequest) -> float:
    """The time of the user's last authentication, in seconds since the epoch; 0 if there is none."""
    from allauth.account.authentication import get_authentication_records

    records = get_authentication_records(request, request.user)
    return float(records[-1]["at"]) if records else 0.0


GUEST_KEY, SIGN_OUTS_KEY = "guest", "sign_outs"
BEFORE_KEY = "guest_before"
"""Set while a user is signed in: key and sign-outs of the guest that the browser was before, or None."""
USER_AGENT_KEY = "user_agent"
_SIGN_IN_KEY: Final = "sign_in"
PUSH_KEY = "push"
"""The primary key of this browser's push subscription."""
_TASTES = ("board_look", "wishes", "_session_expiry", PUSH_KEY)
_IN_COOKIE = frozenset((GUEST_KEY, SIGN_OUTS_KEY, BEFORE_KEY, _SIGN_IN_KEY, *_TASTES))
"""The keys stored in the cookie, which browsers can read."""

SEEN_EVERY = timedelta(minutes=5)
"""The precision of `seen_at`."""
UNFINISHED_FOR = timedelta(days=1)
"""How long unfinished sign-ins are kept."""
_BY_KEY = PreparedQuery(lambda key_hash: SignIn.objects.filter(key_hash=key_hash))


class SessionStore(SignedCookies):
    """A session; `settings.SESSION_ENGINE` names this module."""

    if TYPE_CHECKING:
        _session: dict[str, Any]

    _row: SignIn | None = None
    _written = "{}"
    """The data in the row."""

    @property
    def is_signed_in(self) -> bool:
        """Whether a user is signed in with this browser."""
        return USER_KEY in self

    @property
    def sign_in(self) -> SignIn | None:
        """The row of this session, if it has one."""
        self._session  # noqa: B018 (loads it)
        return self._row

    def is_kept(self) -> bool:
        """Whether the sign-in with which this session was loaded still exists; True if there was none."""
        return self._row is None or _BY_KEY.first(self._row.key_hash) is not None

    def load(self) -> dict[str, Any]:
        """Load the cookie and the row. A cookie whose row is gone was signed out elsewhere."""
        cookie = {name: value for name, value in super().load().items() if name in _IN_COOKIE}
        if _SIGN_IN_KEY not in cookie:
            return cookie
        self._row = _BY_KEY.first(_digest(str(cookie[_SIGN_IN_KEY])))
        if self._row is None:
            self.modified = True
            return _signed_out(cookie)
        self._written = self._row.data
        self._see(self._row)
        return {**cookie, **json.loads(self._written)}

    def save(self, must_create: bool = False) -> None:
        """Save changes. Raises UpdateError if the sign-in has been ended in the meantime."""
        kept = {name: value for name, value in self._session.items() if name not in _IN_COOKIE}
        data = json.dumps(kept, sort_keys=True)
        if data != self._written:
            self._write(data, kept.get(USER_KEY))
        super().save(must_create)

    def _write(self, data: str, user: str | None) -> None:
        fields: dict[str, Any] = {"user_id": user, "data": data}
        with writing():
            if self._row is None:
                key = secrets.token_urlsafe(24)
                self._row = SignIn.objects.create(key_hash=_digest(key), **fields)
                self._session[_SIGN_IN_KEY] = key
            elif not SignIn.objects.filter(pk=self._row.pk).update(**fields):
                raise UpdateError
        self._written = data

    def cycle_key(self) -> None:
        """Drop the row, so that saving makes one with a new key; signing in requires a new one."""
        self._session  # noqa: B018 (loads it)
        self._forget_row()
        self.modified = True

    def flush(self) -> None:
        """Sign out. The browser's guest and preferences stay."""
        rest = _signed_out({name: value for name, value in self._session.items() if name in _IN_COOKIE})
        self._forget_row()
        self._session_cache = rest
        self.modified = True

    def _forget_row(self) -> None:
        if self._row is not None:
            SignIn.objects.filter(pk=self._row.pk).delete()
        self._row, self._written = None, "{}"

    def _get_session_key(self) -> str:
        """The value of the cookie."""
        shown = {name: value for name, value in self._session.items() if name in _IN_COOKIE}
        return signing.dumps(
            shown,
            compress=True,
            salt="django.contrib.sessions.backends.signed_cookies",
            serializer=self.serializer,
        )

    def _see(self, row: SignIn) -> None:
        now = timezone.now()
        if now - row.seen_at > SEEN_EVERY:
            with contextlib.suppress(OperationalError):  # pages should work even if the disk is full
                SignIn.objects.filter(pk=row.pk).update(seen_at=now)


def _signed_out(cookie: dict[str, Any]) -> dict[str, Any]:
    """A cookie without its sign-in: the browser becomes the guest that it was before."""
    rest = {name: value for name, value in cookie.items() if name != _SIGN_IN_KEY}
    if BEFORE_KEY in rest:
        rest[GUEST_KEY], rest[SIGN_OUTS_KEY] = rest.pop(BEFORE_KEY) or (None, 0)
    return rest


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def drop_old_sign_ins() -> None:
    """Delete unfinished and expired sign-ins; a periodic job."""
    now = timezone.now()
    SignIn.objects.filter(user=None, seen_at__lt=now - UNFINISHED_FOR).delete()
    SignIn.objects.filter(seen_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE)).delete()
