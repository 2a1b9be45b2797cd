"""Delivery of mails to the site in a season: by LMTP, or by `kakomi post`."""

from collections.abc import Callable
from typing import Any

from django.db import Error as StorageError

from kakomi.server.mail import inbox, transports
from kakomi.server.mail.inbox import mail_key
from kakomi.server.mail.reply_addresses import token_among
from kakomi.server.site import clock

KEPT = 250
"""The status for a mail that was stored."""


def take(data: str, sender: str, to: str, by_lmtp: bool) -> dict[str, Any]:
    """Deliver a mail. The answer has the `status` for the mail server, the mail's `key` in the site, and
    whether the secret address that it is sent to `holds` now.

    Raises AssertionError for a failure that would make a mail server discard the mail.
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
    except StorageError:  # its owner can't be looked up, so claim nothing
        return False
    return token is not None and token.is_valid_at(clock.now())


def _by_lmtp(content: bytes, sender: str, to: str) -> int:
    return int(transports._receive(content.replace(b"\n", b"\r\n"), sender, [to]).split()[0])


def _by_program(content: bytes, sender: str, to: str) -> int:
    """Deliver a mail as `kakomi post` does."""
    try:
        inbox.receive(content, sender=sender, recipients=[to])
    except StorageError:
        return 451  # corresponds to the program's exit status 75
    return KEPT


COMMANDS: dict[str, Callable[..., Any]] = {"take": take}
