"""Exceptions of all apps of the site."""

from django.utils.translation import gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.session import Refused

NOT_KEPT = gettext_lazy(
    "This couldn’t be saved, so nothing has changed. The site’s disk may be full. Try again later."
)
"""The message while the database can't be written."""


class Conflict(Refused):
    """The state has changed since the sender saw it."""


class KeyReused(Refused):
    """An idempotency key was sent again with another command."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message("this key was already used for another command: use a new key for each command")
        )


class RenderUnavailable(Exception):  # noqa: N818 (it says what the queue is)
    """Too many jobs are waiting, or the picture took too long or failed; the message says which."""


class Denied(Exception):  # noqa: N818 (it says what happened)
    """The request isn't authenticated (code `who`), or its token lacks a scope (code `scope`)."""

    def __init__(self, code: str, message: str, *, scope: str = "") -> None:
        super().__init__(message)
        self.code, self.scope = code, scope

    @property
    def status(self) -> int:
        """The status of the response."""
        return 403 if self.code == "scope" else 401

    @property
    def challenge(self) -> str:
        """The value of `WWW-Authenticate`, as in RFC 6750."""
        if self.scope:
            return f'Bearer error="insufficient_scope", scope="{self.scope}"'
        return 'Bearer error="invalid_token"'
