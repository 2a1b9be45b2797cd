"""Sessions: a signed cookie for guests, and for who signs in a row of the database besides.

The cookie holds who a browser is and what it likes, so that guests cost no query. Everything else (who has
signed in and how, challenges of passkeys, half-finished sign-ins) stays in a `SignIn`, which the cookie names
by a secret key: browsers can neither read it nor bring an old state back, and whoever deletes the row ends
the sign-in.
"""

import contextlib
import json
import secrets
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY as USER_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.signed_cookies import SessionStore as SignedCookies
from django.core import signing
from django.db import OperationalError
from django.utils import timezone

from kakomi.server.accounts.models import SignIn
from kakomi.server.database import writing
from kakomi.server.django_private import PreparedQuery

GUEST_KEY, SIGN_OUTS_KEY = "guest", "sign_outs"
BEFORE_KEY = "guest_before"
"""There while a user is signed in: number and sign-outs of the guest that the browser was before, or None."""
USER_AGENT_KEY = "user_agent"
_SIGN_IN_KEY: Final = "sign_in"
PUSH_KEY = "push"
"""The number of the subscription by which this browser takes push."""
_TASTES = ("board_look", "wishes", "_session_expiry", PUSH_KEY)
_IN_COOKIE = frozenset((GUEST_KEY, SIGN_OUTS_KEY, BEFORE_KEY, _SIGN_IN_KEY, *_TASTES))
"""All that a browser gets to see."""

SEEN_EVERY = timedelta(minutes=5)
"""How exactly it is kept when a browser was seen last."""
UNFINISHED_FOR = timedelta(days=1)
"""How long a sign-in is kept that nobody finishes."""
_BY_KEY = PreparedQuery(lambda key_hash: SignIn.objects.filter(key_hash=key_hash))


class SessionStore(SignedCookies):
    """A session; `settings.SESSION_ENGINE` names this module."""

    if TYPE_CHECKING:
        _session: dict[str, Any]

    _row: SignIn | None = None
    _written = "{}"
    """What the row holds."""

    @property
    def is_signed_in(self) -> bool:
        """Whether a user has signed in with this browser, and is so still."""
        return USER_KEY in self

    @property
    def sign_in(self) -> SignIn | None:
        """The row of this session, if it has one."""
        self._session  # noqa: B018 (loads it)
        return self._row

    def is_kept(self) -> bool:
        """Whether the sign-in with which this was loaded has not been ended since; True if there was none."""
        return self._row is None or _BY_KEY.first(self._row.key_hash) is not None

    def load(self) -> dict[str, Any]:
        """Both parts. A cookie whose row is gone has been signed out from elsewhere."""
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
        """Write what has changed. Raises UpdateError where the sign-in has been ended meanwhile."""
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
        """Give the row another key, as nobody may know it who knew it before somebody signed in."""
        self._session  # noqa: B018 (loads it)
        self._forget_row()
        self.modified = True

    def flush(self) -> None:
        """Sign out. Who the browser is as a guest stays, as do its tastes."""
        rest = _signed_out({name: value for name, value in self._session.items() if name in _IN_COOKIE})
        self._forget_row()
        self._session_cache = rest
        self.modified = True

    def _forget_row(self) -> None:
        if self._row is not None:
            SignIn.objects.filter(pk=self._row.pk).delete()
        self._row, self._written = None, "{}"

    def _get_session_key(self) -> str:
        """The cookie."""
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
            with contextlib.suppress(OperationalError):  # a full disk keeps nobody from looking
                SignIn.objects.filter(pk=row.pk).update(seen_at=now)


def _signed_out(cookie: dict[str, Any]) -> dict[str, Any]:
    """A cookie without its sign-in: the browser is the guest again that it was before."""
    rest = {name: value for name, value in cookie.items() if name != _SIGN_IN_KEY}
    if BEFORE_KEY in rest:
        rest[GUEST_KEY], rest[SIGN_OUTS_KEY] = rest.pop(BEFORE_KEY) or (None, 0)
    return rest


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def drop_old_sign_ins() -> None:
    """Delete what nobody comes back to; a periodic job."""
    now = timezone.now()
    SignIn.objects.filter(user=None, seen_at__lt=now - UNFINISHED_FOR).delete()
    SignIn.objects.filter(seen_at__lt=now - timedelta(seconds=settings.SESSION_COOKIE_AGE)).delete()
