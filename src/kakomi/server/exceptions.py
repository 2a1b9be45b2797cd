"""Exceptions of all apps of the site."""

from django.utils.translation import gettext_lazy

from kakomi.core.i18n import lazy_message
from kakomi.session import Refused

NOT_KEPT = gettext_lazy(
    "This could not be saved, so it was not done: the site's disk may be full. Try again later."
)
"""The answer while the database can't be written."""


class Conflict(Refused):
    """The state has changed since the sender saw it."""


class KeyReused(Refused):
    """A key that names a command was sent again with another command."""

    def __init__(self) -> None:
        super().__init__(
            lazy_message(
                "this key was sent before with something else: send each command under a key of its own"
            )
        )


class RenderUnavailable(Exception):  # noqa: N818 (it says what the queue is)
    """Too many wait, or the picture took too long or could not be made; the message says which."""


class Denied(Exception):  # noqa: N818 (it says what happened)
    """Nobody is known by what was sent (code `who`), or they lack a scope (code `scope`)."""

    def __init__(self, code: str, message: str, *, scope: str = "") -> None:
        super().__init__(message)
        self.code, self.scope = code, scope

    @property
    def status(self) -> int:
        """The status of the answer."""
        return 403 if self.code == "scope" else 401

    @property
    def challenge(self) -> str:
        """As RFC 6750 has it, for programs that never heard of us."""
        if self.scope:
            return f'Bearer error="insufficient_scope", scope="{self.scope}"'
        return 'Bearer error="invalid_token"'
