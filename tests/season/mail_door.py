"""How mails come into a site in a season: by LMTP, or by `kakomi post --stdin`."""

from collections.abc import Callable
from typing import Any

from django.db import Error as StorageError

from kakomi.server import clock
from kakomi.server.post import inbox, transports
from kakomi.server.post.inbox import mail_key
from kakomi.server.post.reply_addresses import token_among

KEPT = 250
"""What a mail server hears of a mail that is on disk."""


def take(data: str, sender: str, to: str, by_lmtp: bool) -> dict[str, Any]:
    """Bring a mail: the `status` that a mail server is told, the mail's `key` in the site, and whether the
    secret address that it is sent to `holds` now.

    Raises AssertionError for a failure that a mail server would take for the end of the mail.
    """
    content = data.encode("latin-1")
    try:
        status = _by_lmtp(content, sender, to) if by_lmtp else _by_program(content, sender, to)
    except Exception as error:
        raise AssertionError(f"a mail server would give the mail up: {error!r}") from error
    return {"status": status, "key": mail_key(content), "holds": _holds(to)}


def _holds(address: str) -> bool:
    try:
        token = token_among([address])
    except StorageError:  # who its owner is can't be looked up, and no more is claimed of it
        return False
    return token is not None and token.holds_at(clock.now())


def _by_lmtp(content: bytes, sender: str, to: str) -> int:
    return int(transports._keep(content.replace(b"\n", b"\r\n"), sender, [to]).split()[0])


def _by_program(content: bytes, sender: str, to: str) -> int:
    """What `kakomi post` does with its standard input."""
    try:
        inbox.receive(content, sender=sender, recipients=[to])
    except StorageError:
        return 451  # the status 75 of the program
    return KEPT


COMMANDS: dict[str, Callable[..., Any]] = {"take": take}
