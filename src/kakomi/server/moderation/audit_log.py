"""Writing the log of what staff did. Call it inside the transaction of the deed."""

from collections.abc import Mapping
from typing import Any

from kakomi.server import clock
from kakomi.server.accounts.models import Guest, User
from kakomi.server.moderation.models import AuditEntry


def was_done(by: User, key: str) -> bool:
    """Whether one of staff has done before what a key names."""
    return AuditEntry.objects.filter(key=_named(by, key)).exists()


def note(
    by: User, about: Guest | None, act: str, reason: str, key: str, data: Mapping[str, Any] | None = None
) -> AuditEntry:
    """Write what one of staff did. Raises IntegrityError if it is there under this key already."""
    return AuditEntry.objects.create(
        key=_named(by, key), by=by, about=about, act=act, reason=reason, data=dict(data or {}), at=clock.now()
    )


def _named(by: User, key: str) -> str:
    return f"{by.pk}:{key}"
